// Tables for kubectl get. Kinds without columns show name and age.
import type {Api} from '../api.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import {customColumns} from './custom-columns.ts';
import {kindColumns} from './kind-columns.ts';
import {nameColumn} from './workload-columns.ts';

export interface KubectlColumn {
  name: string;
  type: string;
  format?: string;
  priority?: number;
  description?: string;
  cell: (object: StoredObject, api: Api) => unknown;
}

interface KubectlTable {
  columns: JsonObject[];
  rows: {cells: unknown[]; conditions?: JsonObject[]}[];
}

const createdColumn: KubectlColumn = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was made.',
  cell: o => o.metadata.creationTimestamp,
};

function columnsFor(resource: ServedResource): KubectlColumn[] {
  if (resource.custom) return customColumns(resource.custom);
  return kindColumns[`${resource.group}/${resource.resource}`] ?? [nameColumn, createdColumn];
}

export function tableOf(api: Api, resource: ServedResource, items: StoredObject[]): KubectlTable {
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
