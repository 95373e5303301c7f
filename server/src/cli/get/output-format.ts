// -o of `krtscope get`: tables, names, JSON, YAML, JSONPath templates and custom columns.
import {UsageError} from '../../usage-error.ts';
import {structuredText} from '../print-answer.ts';
import {compilePath, compileTemplate, valueText} from './json-path.ts';
import type {NamedCollection} from './kubectl-names.ts';
import {type CollectionRow, columnsOf, type RowColumn} from './row-columns.ts';

export type OutputFormat =
  | {kind: 'table'; columns: (collection: NamedCollection, isOneNamespace: boolean) => RowColumn[]}
  | {kind: 'name'}
  | {kind: 'document'; text: (document: unknown) => Promise<string>; isTemplate: boolean};

export const outputFormats = ['wide', 'json', 'yaml', 'name', 'jsonpath=', 'custom-columns='] as const;

/** Throws UsageError. */
export function parseOutput(output: string | undefined): OutputFormat {
  const [, kind = '', rest] = /^([^=]*)(?:=(.*))?$/s.exec(output ?? '') ?? [];
  if (kind === '' || kind === 'wide')
    return {
      kind: 'table',
      columns: (collection, isOneNamespace) =>
        columnsOf(collection, {wide: kind === 'wide', isOneNamespace, now: Date.now()}),
    };
  if (kind === 'name' && rest === undefined) return {kind};
  if ((kind === 'json' || kind === 'yaml') && rest === undefined)
    return {kind: 'document', text: document => structuredText(kind, document), isTemplate: false};
  if (kind === 'jsonpath' && rest) {
    const render = compileTemplate(rest);
    return {kind: 'document', text: async document => render(document), isTemplate: true};
  }
  if (kind === 'custom-columns' && rest) {
    const columns = customColumnsOf(rest);
    return {kind: 'table', columns: () => columns};
  }
  throw new UsageError(`-o ${output} is not known; give -o ${outputFormats.join(', ')}`);
}

function customColumnsOf(spec: string): RowColumn[] {
  return spec.split(',').map(part => {
    const [, name, path] = /^([^:]+):(.+)$/s.exec(part) ?? [];
    if (name === undefined || path === undefined)
      throw new UsageError(`-o custom-columns has "${part}"; give NAME:PATH, such as NAME:.metadata.name`);
    const find = compilePath(path);
    return {
      name,
      cell: row => {
        const found = find(templateRow(row));
        return found.length === 0 ? '<none>' : found.map(valueText).join(',');
      },
    };
  });
}

/** A row in templates: the fields of its value first, then those of the row (`.key`, `.outcome`, `.value`). */
export function templateRow(row: CollectionRow): Record<string, unknown> {
  const {value} = row;
  const own = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return {...row, ...own};
}

/** `pod/shop/web-0`, which the commands take; without the namespace if one was chosen, as kubectl prints it. */
export function nameText({name, resource}: NamedCollection, key: string, isOneNamespace: boolean): string {
  const suffix = resource === undefined || resource.group === '' ? '' : `.${resource.group}`;
  const kind = resource === undefined ? name : `${resource.kind.toLowerCase()}${suffix}`;
  return `${kind}/${isOneNamespace && resource !== undefined ? key.replace(/^[^/]*\//, '') : key}`;
}
