// Before and after: `-` on grey, `+` on the changed tint. Red means error and green means nothing here.
import type {PathChange} from '@krtscope/shared/why.ts';
import {inlineText} from './yaml-lines.ts';
import './diff.css';

export interface DiffLine {
  sign: '-' | '+' | ' ';
  text: string;
  note?: string;
}

export function Diff({lines, label = 'Difference'}: {lines: DiffLine[]; label?: string}) {
  return (
    <figure className="diff" aria-label={label}>
      {lines.map((line, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no other identity
          key={at}
          className={`diff-line ${line.sign === '+' ? 'diff-new' : line.sign === '-' ? 'diff-old' : ''}`}
        >
          <span className="diff-sign">{line.sign}</span>
          <span className="diff-text">{line.text}</span>
          {line.note ? <span className="diff-note">{line.note}</span> : null}
        </div>
      ))}
    </figure>
  );
}

/** Changed paths as lines; `read` says whether the formula reads them. */
export function changeLines(changes: PathChange[]): DiffLine[] {
  return changes.flatMap(change => {
    const note = change.read === undefined ? undefined : change.read ? 'read by this formula' : 'not read';
    const lines: DiffLine[] = [];
    const path = change.path || '(whole value)';
    if (change.old !== undefined) lines.push({sign: '-', text: `${path}: ${inlineText(change.old)}`});
    if (change.new !== undefined) lines.push({sign: '+', text: `${path}: ${inlineText(change.new)}`, note});
    else lines.push({sign: '+', text: `${path}: (none)`, note});
    if (change.old === undefined) lines.unshift({sign: '-', text: `${path}: (none)`});
    return lines;
  });
}
