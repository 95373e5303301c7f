// Columns of a CRD, read by their simple JSONPath.
import type {CustomResourceInfo} from '../kinds/served-resource.ts';
import {isObject, type StoredObject} from '../object/stored-object.ts';
import {age} from './duration.ts';
import type {KubectlColumn} from './table.ts';
import {ageColumn, nameColumn} from './workload-columns.ts';

export function customColumns(custom: CustomResourceInfo): KubectlColumn[] {
  if (custom.columns.length === 0)
    return [
      nameColumn,
      {...ageColumn, type: 'date', cell: (o: StoredObject) => o.metadata.creationTimestamp},
    ].map(withDateAsAge);
  return [nameColumn, ...custom.columns.map(column => columnFor(column))];
}

function withDateAsAge(column: KubectlColumn): KubectlColumn {
  return column.type === 'date'
    ? {...column, cell: (o, api) => age(o.metadata.creationTimestamp, api.now())}
    : column;
}

function columnFor(column: CustomResourceInfo['columns'][number]): KubectlColumn {
  const steps = parseJsonPath(column.jsonPath);
  return {
    name: column.name,
    type: column.type,
    ...(column.format && {format: column.format}),
    description:
      column.description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
    cell: (object, api) => {
      const found = walk(object, steps);
      if (found.length === 0) return undefined;
      return cellOf(found, column.type, api.now());
    },
  };
}

function cellOf(found: unknown[], type: string, now: number): unknown {
  const value = found[0];
  if (value === null || value === undefined) return undefined;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'date':
      return typeof value === 'string' ? age(value, now) : undefined;
    default:
      if (found.length > 1) return found.map(plain).join(' ');
      return plain(value);
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type JsonPathStep = {field: string} | {index: number} | {every: true} | {where: string[]; equals: string};

/** .spec.a, ['a.b'], [0], [*] and [?(@.type=="Ready")]: what printer columns use. */
function parseJsonPath(path: string): JsonPathStep[] {
  const steps: JsonPathStep[] = [];
  const pattern =
    /\.([^.[\]]+)|\['([^']*)'\]|\[(\d+)\]|\[\*\]|\[\?\(@((?:\.[^.=\])]+)+)\s*==\s*["']([^"']*)["']\)\]/gy;
  let at = path.startsWith('.') || path.startsWith('[') ? 0 : -1;
  const text = at < 0 ? `.${path}` : path;
  at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return [];
    if (match[1] !== undefined) steps.push({field: match[1].replaceAll('\\', '')});
    else if (match[2] !== undefined) steps.push({field: match[2]});
    else if (match[3] !== undefined) steps.push({index: Number(match[3])});
    else if (match[4] !== undefined)
      steps.push({where: match[4].slice(1).split('.'), equals: match[5] ?? ''});
    else steps.push({every: true});
    at = pattern.lastIndex;
  }
  return steps;
}

function walk(object: StoredObject, steps: JsonPathStep[]): unknown[] {
  let here: unknown[] = [object];
  for (const step of steps) here = here.flatMap(value => take(value, step));
  return here;
}

function take(value: unknown, step: JsonPathStep): unknown[] {
  if ('field' in step) return isObject(value) && value[step.field] !== undefined ? [value[step.field]] : [];
  const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if ('index' in step) return items[step.index] === undefined ? [] : [items[step.index]];
  if ('every' in step) return items;
  return items.filter(item => {
    let here: unknown = item;
    for (const field of step.where) here = isObject(here) ? here[field] : undefined;
    return String(here) === step.equals;
  });
}
