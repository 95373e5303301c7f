// Which columns the rows of a collection have: kubectl's for kinds of Kubernetes, the best fields for computed rows.
import {readPath} from '@krtscope/shared/path.ts';
import type {Api} from '../../cluster/api.ts';
import type {StoredObject} from '../../cluster/object/stored-object.ts';
import {age, humanDuration} from '../../cluster/table/duration.ts';
import {kindColumns} from '../../cluster/table/kind-columns.ts';
import type {NamedCollection} from './kubectl-names.ts';

/** A row in the answers of /collections/{name}/items. */
export interface CollectionRow {
  key: string;
  value: unknown;
  inputs: readonly string[];
  outcome: string;
  runs: number;
  at: number;
  stale?: boolean;
}

export interface RowColumn {
  name: string;
  cell: (row: CollectionRow) => string;
}

export interface ColumnOptions {
  wide: boolean;
  /** One namespace was chosen, so its column says nothing. */
  isOneNamespace: boolean;
  now: number;
}

const NONE = '<none>';
/** Fields of a computed row without -o wide. */
const FEW_FIELDS = 6;

export function columnsOf(collection: NamedCollection, options: ColumnOptions): RowColumn[] {
  const {resource} = collection;
  if (resource === undefined) return computedColumns(collection, options);
  const columns = kindColumns[`${resource.group}/${resource.resource}`];
  // The columns take the time from the API server that prints them.
  const clock = {now: () => options.now} as Api;
  const own: RowColumn[] =
    columns === undefined
      ? otherKindColumns(collection, options)
      : columns
          .filter(({priority = 0}) => priority === 0 || options.wide)
          .map(({name, cell}) => ({
            name: name.toUpperCase(),
            cell: row => textOf(cell(row.value as StoredObject, clock)),
          }));
  const isNamespaceShown = resource.namespaced && !options.isOneNamespace;
  return isNamespaceShown ? [{name: 'NAMESPACE', cell: row => namespaceOf(row)}, ...own] : own;
}

function otherKindColumns({fields}: NamedCollection, {wide, now}: ColumnOptions): RowColumn[] {
  const more = fields.filter(field => !/^metadata\.(name|namespace)$/.test(field));
  return [
    {name: 'NAME', cell: row => textOf(readPath(row.value, 'metadata.name'))},
    ...fieldColumns(wide ? more : more.slice(0, FEW_FIELDS)),
    {name: 'AGE', cell: row => age(readPath(row.value, 'metadata.creationTimestamp') as string, now)},
  ];
}

function computedColumns({fields}: NamedCollection, {wide, now}: ColumnOptions): RowColumn[] {
  const columns: RowColumn[] = [
    {name: 'KEY', cell: row => (row.key === '' ? '-' : row.key)},
    {name: 'OUTCOME', cell: row => (row.stale === true ? 'failed' : row.outcome)},
    ...fieldColumns(wide ? fields : fields.slice(0, FEW_FIELDS)),
    {name: 'CHANGED', cell: row => humanDuration(now - row.at)},
  ];
  if (!wide) return columns;
  return [
    ...columns,
    {name: 'RUNS', cell: row => String(row.runs)},
    {name: 'INPUTS', cell: row => row.inputs.join(',') || NONE},
  ];
}

function fieldColumns(fields: readonly string[]): RowColumn[] {
  const short = (field: string) => field.replace(/^.*[.[]([^.[\]]+)\]?$/, '$1');
  const count = (name: string) => fields.filter(field => short(field) === name).length;
  return fields.map(field => ({
    name: (count(short(field)) > 1 ? field : short(field)).toUpperCase(),
    cell: row => textOf(readPath(row.value, field)),
  }));
}

const namespaceOf = ({key, value}: CollectionRow): string =>
  textOf(readPath(value, 'metadata.namespace') ?? key.split('/')[0]);

/** A cell's text: lists joined by commas, objects as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return NONE;
  if (Array.isArray(value)) {
    if (value.length === 0) return NONE;
    return value.every(one => typeof one !== 'object')
      ? value.join(',')
      : `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
