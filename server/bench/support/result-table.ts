// Rows as a table for people: our figure, each other's figure as a ratio to ours, the goals.
import type {Row} from './result-row.ts';

const ORDER = ['floor', 'floor-fn', 'krt-port', 'preact-signals', 'alien-signals'];

function figure(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}

/** `1.25` = we take 1.25 times as long; `312 faster` = they take 312 times as long. */
function ratio(ours: number, theirs: number | undefined): string {
  if (theirs === undefined) return '';
  const r = ours / theirs;
  return r < 0.5 ? `${(1 / r).toFixed(1 / r >= 10 ? 0 : 1)}x faster` : r.toFixed(2);
}

export function printTable(rows: readonly Row[]): void {
  const others = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row.others ?? {})) others.add(name);
  const columns = [...ORDER.filter(n => others.has(n)), ...[...others].filter(n => !ORDER.includes(n))];
  const lines = [['', 'krtscope', ...columns.map(c => `vs ${c}`), 'goal']];
  for (const row of rows) {
    const goals = (row.goals ?? []).map(g => `${g.holds ? 'holds' : 'MISSED'}: ${g.text}`);
    if (row.wrong !== undefined) goals.unshift(`WRONG: ${row.wrong}`);
    lines.push([
      row.name,
      figure(row.value, row.unit),
      ...columns.map(c => ratio(row.value, row.others?.[c])),
      goals.join('; '),
    ]);
  }
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map(l => l[i]!.length)));
  lines.forEach((line, n) => {
    console.log(`| ${line.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`);
    if (n === 0) console.log(`|${widths.map(w => '-'.repeat(w + 2)).join('|')}|`);
  });
}
