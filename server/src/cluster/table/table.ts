// Tables for kubectl get: columns and cells of a kind, or name and age where nobody wrote columns.
import type {Api} from '../api.ts';
import type {Resource} from '../kinds/resource.ts';
import type {JsonObject, KubeObject} from '../object/types.ts';
import {clusterColumns} from './cluster-columns.ts';
import {customColumns} from './custom-columns.ts';
import {name, workloadColumns} from './workload-columns.ts';

export interface Column {
  name: string;
  type: string;
  format?: string;
  priority?: number;
  description?: string;
  cell: (object: KubeObject, api: Api) => unknown;
}

export interface Table {
  columns: JsonObject[];
  rows: {cells: unknown[]; conditions?: JsonObject[]}[];
}

const created: Column = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was made.',
  cell: o => o.metadata.creationTimestamp,
};

const COLUMNS: Record<string, Column[]> = {...workloadColumns, ...clusterColumns};

function columnsFor(resource: Resource): Column[] {
  if (resource.custom) return customColumns(resource.custom);
  return COLUMNS[`${resource.group}/${resource.resource}`] ?? [name, created];
}

export function tableOf(api: Api, resource: Resource, items: KubeObject[]): Table {
  const columns = columnsFor(resource);
  return {
    columns: columns.map(({name, type, format, priority, description}) => ({
      name,
      type,
      format: format ?? '',
      description: description ?? '',
      priority: priority ?? 0,
    })),
    rows: items.map(item => ({cells: columns.map(column => column.cell(item, api) ?? null)})),
  };
}
