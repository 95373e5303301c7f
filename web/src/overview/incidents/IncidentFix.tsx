// The fix of an incident, tried in a copy of the graph. A fix that does not end the incident comes after the other offer.
import type {Incident} from '@krtscope/shared/incidents.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {CopyCommand} from '../../ui/controls/CopyButton.tsx';
import {FixTrial, useFixTrial} from '../../what-if/FixTrial.tsx';
import {openWhatIf} from '../../what-if/open-what-if.ts';

/** `path` is the API path of the incident's origin. */
export function IncidentFix({incident, path}: {incident: Incident; path: string | null}) {
  const {write, fix, fixNote} = incident.origin;
  const isOpen = incident.ended === undefined;
  const trial = useFixTrial(isOpen ? path : null, fix);
  if (!fix) return null;
  const command = (
    <div className="detail-fix" key="fix">
      <p className="label">Fix</p>
      <CopyCommand command={fix} />
      <FixTrial state={trial} subject="this incident" />
      {fixNote ? <p className="detail-since">{fixNote}</p> : null}
      <p className="detail-since">krtscope is read-only; run it yourself.</p>
    </div>
  );
  const undo =
    write === null ? null : (
      <div className="detail-undo" key="undo">
        <Button
          size="small"
          title="Try in a copy of the graph whether the incident would end"
          onClick={() => openWhatIf(write, {undos: [write]})}
        >
          What if it had not been written…
        </Button>
      </div>
    );
  return trial === 'does-not-end' ? [undo, command] : [command, undo];
}
