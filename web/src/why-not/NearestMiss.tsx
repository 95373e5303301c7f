// Shows the nearest match letter by letter, and a command that would make it match.
import type {Evidence} from '@krtscope/shared/why.ts';
import {CopyCommand} from '../ui/controls/CopyButton.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import {type AlignedLetter, alignLetters} from './letter-alignment.ts';
import './nearest-miss.css';

export function NearestMiss({evidence}: {evidence: Evidence}) {
  const {nearest} = evidence;
  if (!nearest) return null;
  const isUnset = nearest.distance === undefined;
  // A label that is not set has no letters to compare.
  const letters = isUnset ? undefined : alignLetters(nearest.wants, nearest.has);
  return (
    <Panel
      title="Nearest match"
      aside={
        isUnset
          ? 'the label is not set'
          : `${nearest.distance} ${nearest.distance === 1 ? 'edit' : 'edits'} apart`
      }
    >
      <div className="miss">
        <Letters label="wants" letters={letters} side="wants" text={nearest.wants} />
        <Letters label="has" letters={letters} side="has" text={nearest.has} />
        {nearest.note ? <p className="miss-note">{nearest.note}</p> : null}
      </div>
    </Panel>
  );
}

function Letters({
  label,
  letters,
  side,
  text,
}: {
  label: string;
  letters: readonly AlignedLetter[] | undefined;
  side: 'wants' | 'has';
  text: string;
}) {
  return (
    <div className="miss-line">
      <span className="miss-label">{label}</span>
      <span className="visually-hidden">{text}</span>
      <code className="miss-letters" aria-hidden="true">
        {letters === undefined
          ? text
          : letters.map((letter, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: letters have no identity except their position
              <span key={position} className={letter.same ? '' : `miss-${side}`}>
                {letter[side] ?? '·'}
              </span>
            ))}
      </code>
    </div>
  );
}

export function WouldMatch({evidence}: {evidence: Evidence}) {
  if (!evidence.command) return null;
  return (
    <section className="would panel column" aria-label="To make it match">
      <header className="panel-head bar">
        <h2 className="panel-title">To make it match</h2>
        <span className="panel-aside word word-draft">not run</span>
      </header>
      <div className="would-body">
        <CopyCommand command={evidence.command} />
        {evidence.commandNote ? <p className="miss-note">{evidence.commandNote}</p> : null}
        <p className="miss-note">krtscope is read-only. Run the command yourself.</p>
      </div>
    </section>
  );
}
