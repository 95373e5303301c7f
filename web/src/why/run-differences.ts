// Compares outcome, cause, fetches and time of two runs. Pure.
import type {RunRecord} from '@krtscope/shared/run.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {inlineText} from '../ui/code/yaml-lines.ts';
import {causeText} from './answer/answer-markdown.ts';
import {formatSpan} from './waterfall.ts';

interface RunDifference {
  what: string;
  left: string;
  right: string;
  differs: boolean;
}

export function compareRuns(left: Why, right: Why): RunDifference[] {
  const row = (what: string, a: string, b: string): RunDifference => ({
    what,
    left: a,
    right: b,
    differs: a !== b,
  });
  const rows = [
    row('outcome', left.outcome, right.outcome),
    row('cause', causeOf(left.run), causeOf(right.run)),
    row('root write', rootOf(left), rootOf(right)),
    row('changes', changesOf(left), changesOf(right)),
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

function causeOf(run: RunRecord | null): string {
  const cause = run?.causes[0];
  if (!cause) return 'none recorded';
  return `${causeText(cause)}${cause.key === undefined ? '' : ` (${cause.key})`}`;
}

function rootOf(why: Why): string {
  const root = why.causes.at(-1);
  if (!root || root.kind === 'run') return 'not recorded';
  return `${root.collection} ${root.key}${root.writer ? ` by ${root.writer.manager}` : ''}`;
}

/** The first paths that the root write changed. They are enough to tell two writes apart. */
function changesOf(why: Why): string {
  const changes = why.causes.at(-1)?.changes ?? [];
  const words = changes.slice(0, 3).map(one => `${one.path} ${inlineText(one.old)} → ${inlineText(one.new)}`);
  return changes.length > 3
    ? `${words.join(', ')} and ${changes.length - 3} more`
    : words.join(', ') || 'no changes recorded';
}

function timeOf(run: RunRecord | null): string {
  return run ? formatSpan(run.duration) : '';
}

function fetchOf(run: RunRecord | null, name: string): string {
  const found = run?.fetches.find(fetch => `${fetch.collection}, ${fetch.filter}` === name);
  return found ? `${found.matched} matched` : 'not fetched';
}
