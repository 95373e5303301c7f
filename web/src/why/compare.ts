// Two runs of one item side by side: what differs in outcome, cause, fetches and time. Pure.
import type {Run} from '@krtscope/shared/run.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {causeText, finish} from './markdown.ts';
import {milliseconds} from './waterfall.ts';

export interface CompareRow {
  what: string;
  left: string;
  right: string;
  differs: boolean;
}

export function compareRuns(left: Why, right: Why): CompareRow[] {
  const row = (what: string, a: string, b: string): CompareRow => ({
    what,
    left: a,
    right: b,
    differs: a !== b,
  });
  const rows = [
    row('outcome', left.outcome, right.outcome),
    row('because', finish(left.sentence), finish(right.sentence)),
    row('cause', causeOf(left.run), causeOf(right.run)),
    row('root write', rootOf(left), rootOf(right)),
    row('time', timeOf(left.run), timeOf(right.run)),
  ];
  const fetches = new Set(
    [...(left.run?.fetches ?? []), ...(right.run?.fetches ?? [])].map(
      fetch => `${fetch.collection}, ${fetch.filter}`,
    ),
  );
  for (const name of fetches)
    rows.push(row(`fetch ${name}`, fetchOf(left.run, name), fetchOf(right.run, name)));
  return rows;
}

function causeOf(run: Run | null): string {
  const cause = run?.causes[0];
  if (!cause) return 'none recorded';
  return `${causeText(cause)}${cause.key === undefined ? '' : ` (${cause.key})`}`;
}

function rootOf(why: Why): string {
  const root = why.causes.at(-1);
  if (!root || root.kind === 'run') return 'not recorded';
  return `${root.collection} ${root.key}${root.writer ? ` by ${root.writer.manager}` : ''}`;
}

function timeOf(run: Run | null): string {
  return run ? milliseconds(run.duration) : '';
}

function fetchOf(run: Run | null, name: string): string {
  const found = run?.fetches.find(fetch => `${fetch.collection}, ${fetch.filter}` === name);
  return found ? `${found.matched} matched` : 'not asked';
}
