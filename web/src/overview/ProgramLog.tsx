// Whether an attached program's log says why its rows change, and how to switch that on and off.
import {useConnection} from '../stream/server-connection.ts';
import {CopyCommand} from '../ui/controls/CopyButton.tsx';
import {plural} from '../ui/text/plural.ts';
import './program-log.css';

export function ProgramLog() {
  const log = useConnection(link => link.session?.attached?.log);
  const program = useConnection(link => link.session?.cluster.context);
  if (log === undefined) return null;
  const isOn = log.level === 'debug';
  const command = isOn ? log.commands?.off : log.commands?.on;
  return (
    <section className="program-log" aria-label="Log">
      <p>
        {isOn
          ? `The log says why: ${plural(log.runs, 'run')} read. Switch it off when you are done, it costs CPU:`
          : `Without krt's debug lines ${program ?? 'the program'} does not say why.${command === undefined ? '' : ' Switch them on:'}`}
      </p>
      {command === undefined ? null : <CopyCommand command={command} plain />}
      {log.unread > 0 ? (
        <p className="program-log-unread" title={log.samples?.join('\n')}>
          {plural(log.unread, 'line')} of an unknown form not read
        </p>
      ) : null}
    </section>
  );
}
