// Shown while no program reports controllers: says how to connect one.
import {useApp} from '../store/app.ts';
import {goLive, useMoment} from '../store/navigation.ts';
import {Button} from '../ui/controls/Button.tsx';
import {CopyButton} from '../ui/controls/CopyButton.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';

export function NoControllers() {
  const {live} = useMoment();
  const session = useApp(state => state.route.session) ?? '';
  const line = `KRTSCOPE_URL=${window.location.origin}/?token=… node operator.ts`;
  if (!live)
    return (
      <div className="controllers-none">
        <EmptyState
          title="No controllers at this moment"
          actions={<Button onClick={goLive}>Back to live</Button>}
        />
      </div>
    );
  return (
    <div className="controllers-none">
      <EmptyState title={`No controllers in ${session}`} icon="refresh">
        <p>
          A manager of <code>krtscope/runtime</code> that runs on this machine shows up by itself, as session{' '}
          <code>program:&lt;name&gt;</code>. Elsewhere, give it the address and the token:
        </p>
        <pre className="controllers-line row gap-8">
          {line} <CopyButton text={line} label="Copy the line" />
        </pre>
        <p>
          The switch at the top left lists the programs that are connected; docs/programs.md has the rest. The
          demo has controllers of its own.
        </p>
      </EmptyState>
    </div>
  );
}
