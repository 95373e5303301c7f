// Changed paths, before and after. Paths that the formula reads have an eye.
import type {PathChange} from '@krtscope/shared/why.ts';
import {useState} from 'react';
import {inlineText} from '../../ui/code/yaml-lines.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import '../../ui/code/diff.css';
import './changed-paths.css';

const MAX_PATHS_SHOWN = 6;

export function ChangedPaths({changes}: {changes: readonly PathChange[]}) {
  const [all, setAll] = useState(false);
  // Paths that the formula read come first: they are the reason.
  const sorted = [...changes].sort((a, b) => Number(b.read ?? false) - Number(a.read ?? false));
  const shown = all ? sorted : sorted.slice(0, MAX_PATHS_SHOWN);
  return (
    <figure className="diff" aria-label="Changed paths">
      {shown.map(change => (
        <ChangedPath key={change.path} change={change} />
      ))}
      {shown.length < sorted.length ? (
        <button type="button" className="text-button bare-button diff-more" onClick={() => setAll(true)}>
          and {sorted.length - shown.length} more
        </button>
      ) : null}
    </figure>
  );
}

function ChangedPath({change}: {change: PathChange}) {
  const path = change.path || '(whole value)';
  const quiet = change.read === false;
  const note =
    change.read === undefined ? null : change.read ? (
      <span className="diff-read inline-row gap-5">
        <Icon name="eye" size={13} /> read by this formula
      </span>
    ) : (
      <span className="diff-note">not read</span>
    );
  return (
    <>
      {quiet && change.old === undefined ? null : (
        <div className={`diff-line ${quiet ? '' : 'diff-old'}`}>
          <span className="diff-sign">-</span>
          <span className="diff-text">
            {path}: {inlineText(change.old)}
          </span>
        </div>
      )}
      <div className={`diff-line ${quiet ? '' : 'diff-new'}`}>
        <span className="diff-sign">+</span>
        <span className="diff-text">
          {path}: {inlineText(change.new)}
        </span>
        {note}
      </div>
    </>
  );
}
