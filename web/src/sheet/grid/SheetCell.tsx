// One cell: a state glyph, its value in one line, its age in the selected row, or the mark of an empty cell.

import {readPath} from '@krtscope/shared/path.ts';
import type {Cell} from '@krtscope/shared/sheet.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {useContext} from 'react';
import {ComparisonContext} from '../../compare/use-compare.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {outcomeTone, StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {ageText, clockText} from '../../ui/text/Age.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import {SupposedField, SupposedMark} from '../../what-if/SupposedCell.tsx';
import {type FieldColumn, maxKeyLength, shortKey} from '../columns/columns.ts';
import type {RowProblem} from '../rows/row-problems.ts';
import {cellText, isEmptyValue} from './cell-text.ts';
import './sheet-cell.css';

/** A change counts as new for 60 s; its field is tinted for 10 s and flashes for 3 s. */
export const RECENT_MS = 60_000;
const TINT_MS = 10_000;
const FLASH_MS = 3_000;

interface CellAppearance {
  now: number;
  selected: boolean;
  /** Leave the namespace out of keys: it is the same in all rows. */
  short: boolean;
  source: boolean;
  gone: boolean;
  problem: RowProblem | undefined;
  /** How many more items of this row are folded into this line. */
  more: number;
}

export function CellBody({cell, column, look}: {cell: Cell; column: FieldColumn; look: CellAppearance}) {
  const value = column.field === 'key' ? shortKey(cell.key, look.short) : cell.fields[column.field];
  const text = cellText(value);
  const shown = shortenMiddle(text, maxKeyLength(column));
  const failed = cell.error !== undefined || cell.outcome === 'failed';
  return (
    <>
      {column.first && !look.source ? <CellState cell={cell} look={look} /> : null}
      {column.field === 'key' ? (
        <KeyText text={text} shown={shown} />
      ) : (
        <span className={`cell-text ${isEmptyValue(value) ? 'cell-nothing' : ''}`} title={text}>
          {failed && column.last && cell.error ? cell.error : text === '' ? '—' : text}
        </span>
      )}
      {column.field === 'key' ? (
        <ComparisonMark column={column} cell={cell} />
      ) : (
        <ComparedField column={column} cell={cell} />
      )}
      {column.field === 'key' ? (
        <SupposedMark collection={column.collection} itemKey={cell.key} />
      ) : (
        <SupposedField collection={column.collection} itemKey={cell.key} field={column.field} />
      )}
      {column.field === 'key' && look.gone ? <span className="cell-word">deleted</span> : null}
      {column.first && look.source ? <SourceMarks cell={cell} look={look} /> : null}
      {column.last && !look.source && look.problem ? <ProblemMark problem={look.problem} /> : null}
      {look.more > 0 ? (
        <span className="cell-more" title={`${look.more} more in this row`}>
          +{look.more}
        </span>
      ) : null}
      {column.last && cell.conflict ? (
        <span
          className="cell-mark inline-row cell-conflict"
          title="Two inputs produce this key: the input with the smallest key owns the row"
        >
          <Icon name="warning" size={14} />
          <span className="visually-hidden">key conflict: two inputs produce this key</span>
        </span>
      ) : null}
      {column.last &&
      look.selected &&
      !look.source &&
      look.now - cell.at < 3_600_000 &&
      text.length * 7.25 + 60 < column.width ? (
        <span className="cell-age">{ageText(look.now - cell.at).replace(' ', '')}</span>
      ) : null}
    </>
  );
}

/** In a comparison: whether the item still exists at the other moment. */
function ComparisonMark({column, cell}: {column: FieldColumn; cell: Cell}) {
  const kind = useContext(ComparisonContext)?.of(column.collection, cell.key)?.kind;
  if (kind === undefined) return null;
  if (kind === 'removed') return <span className="cell-word cell-left">removed</span>;
  return (
    <span className="cell-mark inline-row" title="This row differs at the other moment">
      <StateGlyph tone="changed" size={9} />
      <span className="visually-hidden">changed</span>
    </span>
  );
}

/** In a comparison: the field's value at the other moment, if it differs. */
function ComparedField({column, cell}: {column: FieldColumn; cell: Cell}) {
  const difference = useContext(ComparisonContext)?.of(column.collection, cell.key);
  if (difference?.kind !== 'changed') return null;
  const before = cellText(readPath(difference.before, column.field));
  const after = cellText(readPath(difference.after, column.field));
  if (before === after) return null;
  return (
    <span className="cell-became ellipsis" title={`${before} → ${after}`}>
      → {after === '' ? '—' : after}
    </span>
  );
}

/** A key without enough room loses its start, because the end tells Pods apart. */
function KeyText({text, shown}: {text: string; shown: string}) {
  const dash = shown.lastIndexOf('-');
  const split = dash > 3 && shown.length - dash <= 8 ? dash : shown.length;
  // Screen readers get the whole key.
  const cut = shown !== text || undefined;
  return (
    <>
      <span className="cell-text" title={text} aria-hidden={cut}>
        {shown.slice(0, split)}
      </span>
      {split < shown.length ? (
        <span className="cell-tail" aria-hidden={cut}>
          {shown.slice(split)}
        </span>
      ) : null}
      {cut ? <span className="visually-hidden">{text}</span> : null}
    </>
  );
}

/** Keys of a source align at the column's edge; marks stand at the cell's end. */
function SourceMarks({cell, look}: {cell: Cell; look: CellAppearance}) {
  const news = isRecent(cell, look.now) || outcomeTone[cell.outcome] === 'error';
  if (!news && !look.problem) return null;
  return (
    <span className="cell-end inline-row gap-6">
      {look.problem ? <ProblemMark problem={look.problem} /> : null}
      {news ? <CellState cell={cell} look={look} /> : null}
    </span>
  );
}

function ProblemMark({problem}: {problem: RowProblem}) {
  return (
    <span
      className={`cell-mark inline-row tone-${problem.severity === 'error' ? 'error' : 'changed'}`}
      title={problem.words}
    >
      {problem.severity === 'error' ? (
        <StateGlyph tone="error" size={10} />
      ) : (
        <Icon name="warning" size={13} />
      )}
      <span className="visually-hidden">{problem.words}</span>
    </span>
  );
}

/**
 * Filled: the last run changed it. Hollow: equal. Diamond: failed. An old change keeps its shape and loses its
 * colour.
 */
function CellState({cell, look}: {cell: Cell; look: CellAppearance}) {
  const news = isRecent(cell, look.now);
  return (
    <span className={`cell-state ${news ? '' : 'cell-old'}`} title={stateTitle(cell)}>
      <StateGlyph tone={cell.stale ? 'stale' : outcomeTone[cell.outcome]} size={9} />
      <span className="visually-hidden">{cell.stale ? 'stale, last run failed' : cell.outcome}</span>
    </span>
  );
}

/** The first list adds every item at once, so its items count as new only briefly. */
function isRecent(cell: Cell, now: number): boolean {
  return cell.outcome === 'added' ? now - cell.at <= TINT_MS : now - cell.at < RECENT_MS;
}

/** Clock time instead of an age: ages would change every cell every second. */
function stateTitle(cell: Cell): string {
  return `${cell.outcome} at ${clockText(cell.at)}${cell.stale ? ', kept from the run before the failed one' : ''}`;
}

/** Age steps for unselected cells: between two steps the cell looks the same. */
export function ageStep(cell: Cell, now: number): number {
  const age = now - cell.at;
  return age < FLASH_MS ? 0 : age <= TINT_MS ? 1 : age < RECENT_MS ? 2 : 3;
}

/** Classes for what happened to a cell and how long ago. */
export function cellTone(cell: Cell, field: string, now: number): string {
  const age = now - cell.at;
  const failed = cell.outcome === 'failed' ? 'cell-failed' : '';
  const touched = cell.changed.some(
    path =>
      path === field ||
      path.startsWith(`${field}.`) ||
      path.startsWith(`${field}[`) ||
      field.startsWith(`${path}.`),
  );
  if (!touched || age > TINT_MS) return failed;
  // Two names for one animation: a change in another second restarts it, a second change within one second does
  // not.
  const flash =
    age < FLASH_MS ? (Math.floor(cell.at / 1000) % 2 === 0 ? 'cell-flash-a' : 'cell-flash-b') : '';
  return `cell-changed ${flash} ${failed}`;
}

const emptyWords: Partial<Record<RunOutcome, string>> = {
  empty: 'empty',
  discarded: 'discarded',
  failed: 'failed',
  suspended: 'waiting',
  equal: 'empty',
};

/** The mark of an input without output, with a link to the reason. */
export function EmptyBody({
  outcome,
  onWhy,
  compact,
}: {
  outcome: RunOutcome | undefined;
  onWhy: () => void;
  compact: boolean;
}) {
  return (
    <>
      <span className="cell-state">
        {outcome === 'failed' || outcome === 'suspended' ? <StateGlyph outcome={outcome} /> : null}
      </span>
      <span className="cell-empty">{(outcome && emptyWords[outcome]) ?? 'empty'}</span>
      <button
        type="button"
        className="text-button bare-button cell-why"
        tabIndex={-1}
        onClick={onWhy}
        aria-label="why is this empty?"
      >
        why?
      </button>
      {compact ? null : <Kbd keys="o" />}
    </>
  );
}
