// Shows a formula from a link or a recording before it runs.
import {Button} from '../../ui/controls/Button.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {describeFormulaShape} from '../saved/SaveDialog.tsx';
import type {SharedFormula} from './formula-link.ts';
import './shared-banner.css';

export function SharedBanner({
  shared,
  onRun,
  onDismiss,
}: {
  shared: SharedFormula;
  onRun: () => void;
  onDismiss: () => void;
}) {
  const from = shared.from === 'recording' ? 'this recording' : 'a link';
  return (
    <section className="shared column" aria-label={`A formula from ${from}`}>
      <header className="row gap-10">
        <Icon name="link" size={16} />
        <h1 className="shared-title row gap-10">
          {shared.name}, from {from} <span className="lab-word">not run</span>
        </h1>
      </header>
      <p className="shared-words">
        {describeFormulaShape(shared)} Read the code before you run it. It runs sandboxed, over the data of
        this session.
      </p>
      {shared.helpers === undefined ? null : (
        <pre className="shared-code mono">
          <code>{`// Helpers that came with the link\n${shared.helpers}`}</code>
        </pre>
      )}
      <pre className="shared-code mono">
        <code>{shared.code}</code>
      </pre>
      <div className="save-actions">
        <Button onClick={onDismiss}>Dismiss</Button>
        <Button look="primary" icon="play" onClick={onRun}>
          Run here
        </Button>
      </div>
    </section>
  );
}
