// An attempt's writes as differences, and its log output.
import type {Attempt, AttemptLink} from '@krtscope/shared/controllers.ts';
import {fieldChanges} from '../../compare/differences.ts';
import {changeLines, Diff, type DiffLine} from '../../ui/code/Diff.tsx';
import {inlineText} from '../../ui/code/yaml-lines.ts';
import {clockText} from '../../ui/text/Age.tsx';
import {CausedAttempts} from './AttemptLinks.tsx';
import './attempt-writes.css';

const LINES = 14;

/** `caused`: for each write, the attempts of other requests that it caused. */
export function AttemptWrites({
  attempt,
  caused,
}: {
  attempt: Attempt;
  caused: readonly (readonly AttemptLink[] | undefined)[];
}) {
  const {writes, log} = attempt;
  return (
    <div className="attempt-below">
      <section aria-label="Writes">
        <h4>Writes</h4>
        {writes.length === 0 ? <p className="attempt-nothing">No writes.</p> : null}
        {writes.map((write, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: writes have no other identity
          <div key={at} className="attempt-write">
            <p className="attempt-write-head">
              <b>{write.verb}</b> {write.kind} {[write.namespace, write.name].filter(Boolean).join('/')}
              {write.subresource ? ` (${write.subresource})` : ''}
              {write.dryRun ? ', dry run' : ''}
              {write.error ? <span className="is-failed"> {write.error}</span> : null}
            </p>
            <Diff lines={linesOf(write)} label={`Difference of ${write.kind} ${write.name ?? ''}`} />
            <CausedAttempts caused={caused[at]} />
          </div>
        ))}
      </section>
      <section aria-label="Log">
        <h4>Log</h4>
        {log.length === 0 ? <p className="attempt-nothing">No log output.</p> : null}
        <ol className="attempt-log plain-list">
          {log.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <li key={at} data-level={line.level}>
              <time>{clockText(line.at, true).slice(6)}</time> {line.message}
              {Object.entries(line.fields).map(([name, value]) => (
                <LogField key={name} name={name} value={value} />
              ))}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

/** Keeps the lines of a stack; other values take one line. */
function LogField({name, value}: {name: string; value: unknown}) {
  if (typeof value === 'string' && value.includes('\n')) return <pre className="attempt-stack">{value}</pre>;
  return (
    <span>
      {' '}
      {name}=<b>{inlineText(value)}</b>
    </span>
  );
}

function linesOf({before, after, verb}: Attempt['writes'][number]): DiffLine[] {
  if (before === undefined && after === undefined) return [];
  if (verb === 'delete') return [{sign: '-', text: 'the whole object'}];
  if (before === undefined)
    return [
      {
        sign: '+',
        text: verb === 'create' ? 'the whole object' : 'current value; the previous value is unknown',
      },
    ];
  const lines = changeLines(fieldChanges({before, after}));
  if (lines.length === 0) return [{sign: ' ', text: 'no change'}];
  if (lines.length <= LINES) return lines;
  return [...lines.slice(0, LINES), {sign: ' ', text: `and ${lines.length - LINES} more lines`}];
}
