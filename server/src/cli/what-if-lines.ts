// The answer of What if as lines for a terminal.
import type {SupposedIncident, WhatIf} from '@krtscope/shared/what-if/what-if.ts';
import {
  differenceLines,
  eventOf,
  eventSummary,
  incidentSummary,
  rowSummary,
} from '@krtscope/shared/what-if/what-if-text.ts';
import {escapeControlCharacters} from '../terminal.ts';

const MAX_ROWS = 200;
const colours = {red: 31, green: 32, cyan: 36, bold: 1};

export function whatIfLines(answer: WhatIf, isColoured: boolean): string[] {
  const paint = (colour: keyof typeof colours, text: string) =>
    isColoured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text;
  const {collections, incidents, notes, runs, stopped, sequence} = answer;
  const lines = [
    paint('bold', `What if, at #${sequence}: ${rowSummary(answer)} ${incidentSummary(answer)}`),
    ...incidents.begun.map(incident => paint('red', `  begins  ${incidentText(incident)}`)),
    ...incidents.ended.map(incident => paint('green', `  ends    ${incidentText(incident)}`)),
  ];
  for (const [name, rows] of Object.entries(collections)) {
    lines.push('', paint('cyan', `${safe(name)}: ${eventSummary(rows)}`));
    for (const row of rows.slice(0, MAX_ROWS)) {
      const event = eventOf(row);
      if (event === 'added') lines.push(paint('green', `+ ${safe(row.key)}`));
      else if (event === 'removed') lines.push(paint('red', `- ${safe(row.key)}`));
      else {
        lines.push(`  ${safe(row.key)}`);
        for (const line of differenceLines(row))
          lines.push(
            line.startsWith('-')
              ? paint('red', `-   ${safe(line.slice(2))}`)
              : paint('green', `+   ${safe(line.slice(2))}`),
          );
      }
    }
    if (rows.length > MAX_ROWS) lines.push(`  ${rows.length - MAX_ROWS} more rows; -o json has all`);
  }
  const equal = stopped.length === 0 ? '' : `, ${stopped.length} of them without a change`;
  return [...lines, '', `${runs} runs${equal}`, ...notes.map(note => `note: ${safe(note)}`)];
}

function incidentText({severity, title}: SupposedIncident): string {
  return `${severity}: ${safe(title)}`;
}

const safe = (text: string) => escapeControlCharacters(text.replaceAll('\n', ' '));
