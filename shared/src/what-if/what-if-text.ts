// The answer of What if in words, for the page, the terminal and a comment on a pull request.
import {type PathDifference, pathDifferences} from './path-differences.ts';
import type {RowDifference, SupposedIncident, WhatIf} from './what-if.ts';

/** Metadata that every write changes. It says nothing about the edit. */
const EVERY_WRITE = new Set(['metadata.resourceVersion', 'metadata.generation']);
const MAX_VALUE = 120;
const MAX_ROWS = 50;
const MAX_PATHS = 20;

export type RowEvent = 'added' | 'changed' | 'removed';

export function eventOf(row: RowDifference): RowEvent {
  if (row.old === undefined) return 'added';
  return row.new === undefined ? 'removed' : 'changed';
}

/** The differing paths of a changed row, without those that every write changes. */
export function shownDifferences(row: RowDifference): PathDifference[] {
  return pathDifferences(row.old, row.new).filter(({path}) => !EVERY_WRITE.has(path));
}

export function isNoDifference({collections}: WhatIf): boolean {
  return Object.values(collections).every(rows => rows.length === 0);
}

/** "Would end 1 incident, begin none." */
export function incidentSummary({incidents: {begun, ended}}: WhatIf): string {
  if (begun.length + ended.length === 0) return 'No incident would begin or end.';
  return `Would end ${incidentCount(ended)}, begin ${begun.length === 0 ? 'none' : countOf(begun.length, ended.length === 0 ? 'incident' : '').trim()}.`;
}

/** "7 rows in 4 collections would change." */
export function rowSummary({collections}: WhatIf): string {
  const changed = Object.values(collections).filter(rows => rows.length > 0);
  const rows = changed.reduce((sum, one) => sum + one.length, 0);
  if (rows === 0) return 'No row would change.';
  return `${countOf(rows, 'row')} in ${countOf(changed.length, 'collection')} would change.`;
}

/** "1 added, 3 changed". */
export function eventSummary(rows: readonly RowDifference[]): string {
  const counts = {added: 0, changed: 0, removed: 0};
  for (const row of rows) counts[eventOf(row)] += 1;
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([event, count]) => `${count} ${event}`)
    .join(', ');
}

export function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

/** The lines of a difference: "- path: old" and "+ path: new". */
export function differenceLines(row: RowDifference): string[] {
  const paths = shownDifferences(row);
  const lines = paths
    .slice(0, MAX_PATHS)
    .flatMap(({path, old, new: now}) => [
      ...(old === undefined ? [] : [`- ${path}: ${valueText(old)}`]),
      ...(now === undefined ? [] : [`+ ${path}: ${valueText(now)}`]),
    ]);
  return paths.length > MAX_PATHS ? [...lines, `  ${paths.length - MAX_PATHS} more fields`] : lines;
}

/** A comment for a pull request. */
export function whatIfMarkdown(answer: WhatIf): string {
  const {collections, incidents, notes, sequence} = answer;
  const parts = [
    `### What if: ${rowSummary(answer)}`,
    `${incidentSummary(answer)} Tried on a copy of the graph at #${sequence}.`,
    ...incidentList('Would begin', incidents.begun),
    ...incidentList('Would end', incidents.ended),
  ];
  if (!isNoDifference(answer))
    parts.push(
      [
        '| collection | rows |',
        '|---|---|',
        ...Object.entries(collections).map(([name, rows]) => `| ${name} | ${eventSummary(rows)} |`),
      ].join('\n'),
    );
  for (const [name, rows] of Object.entries(collections)) parts.push(collectionDetails(name, rows));
  parts.push(notes.map(note => `- ${escapeMarkdown(note)}`).join('\n'));
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

function collectionDetails(name: string, rows: readonly RowDifference[]): string {
  const shown = rows.slice(0, MAX_ROWS);
  const lines = shown.flatMap(row =>
    eventOf(row) === 'changed'
      ? [`  ${row.key}`, ...differenceLines(row)]
      : [`${eventOf(row) === 'added' ? '+' : '-'} ${row.key}`],
  );
  if (rows.length > shown.length) lines.push(`  ${rows.length - shown.length} more rows`);
  // A value may contain a fence of its own.
  const text = lines.join('\n').replaceAll('```', "'''");
  return `<details><summary>${name}: ${eventSummary(rows)}</summary>\n\n\`\`\`diff\n${text}\n\`\`\`\n\n</details>`;
}

function incidentList(title: string, incidents: readonly SupposedIncident[]): string[] {
  if (incidents.length === 0) return [];
  return [
    `**${title}**\n${incidents.map(({severity, title: what}) => `- ${severity}: ${escapeMarkdown(what)}`).join('\n')}`,
  ];
}

function incidentCount(incidents: readonly unknown[]): string {
  return incidents.length === 0 ? 'no incident' : countOf(incidents.length, 'incident');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 || noun === '' ? '' : 's'}`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<>*_`|]/g, sign => `\\${sign}`);
}
