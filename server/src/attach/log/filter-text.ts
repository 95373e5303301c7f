// Reads the filter of a fetch line: `keys=[a b],selects=map[app:cart],generic,suppressChange`.
import type {ProgramRun} from '@krtscope/shared/programs/program.ts';
import {HIDDEN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';

type FetchClauses = NonNullable<ProgramRun['fetches'][number]['clauses']>;

/** The keys that a filter names; undefined if it names none. */
export function keysOfFilter(filter: string): string[] | undefined {
  const start = filter.indexOf('keys=[');
  if (start < 0 || (start > 0 && filter[start - 1] !== ',')) return undefined;
  const end = filter.indexOf(']', start);
  return filter.slice(start + 6, end < 0 ? undefined : end).split(' ');
}

/** Go's krt looks up keys and indexes, and compares every row for other filters. `{}` may be an index. */
export function comparesEveryRow(filter: string): boolean {
  return filter !== '' && keysOfFilter(filter) === undefined;
}

/** Splits at commas outside brackets. */
function partsOf(filter: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < filter.length; i++) {
    const sign = filter[i];
    if (sign === '[') depth += 1;
    else if (sign === ']') depth -= 1;
    else if (sign === ',' && depth === 0) {
      parts.push(filter.slice(start, i));
      start = i + 1;
    }
  }
  if (start < filter.length) parts.push(filter.slice(start));
  return parts;
}

/** `map[app:cart version:v1]` as labels. */
function labelsOf(text: string): Record<string, string> {
  const inside = text.replace(/^map\[/, '').replace(/\]$/, '');
  const pairs = inside.split(' ').filter(pair => pair !== '');
  return Object.fromEntries(
    pairs.map(pair => {
      const colon = pair.indexOf(':');
      return colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)];
    }),
  );
}

/** The clauses in the form of the engine's own traces, with krt.md's words. */
export function clausesOfFilter(filter: string): FetchClauses {
  const clauses = partsOf(filter).flatMap((part): FetchClauses => {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    switch (name) {
      case 'keys': {
        const keys = keysOfFilter(part) ?? [];
        return [{kind: 'keys', text: `${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`, keys}];
      }
      case 'selects':
      case 'selectsNonEmpty': {
        const labels = labelsOf(value);
        return [
          {kind: 'selects', text: `${name} ${labelText(labels)}`, labels, nonEmpty: name !== 'selects'},
        ];
      }
      case 'label': {
        const labels = labelsOf(value);
        return [{kind: 'labels', text: `label ${labelText(labels)}`, labels}];
      }
      case 'suppressChange':
        return [];
      default:
        return [{kind: 'generic', text: part, name: part}];
    }
  });
  // The log writes `{}` for no filter and for filters by index.
  return clauses.length > 0
    ? clauses
    : [{kind: 'generic', text: HIDDEN_FILTER_TEXT, name: HIDDEN_FILTER_TEXT}];
}

export function textOfFilter(filter: string): string {
  return clausesOfFilter(filter)
    .map(({text}) => text)
    .join(', ');
}

function labelText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
