// The JSON patch between two values. Lists that differ are replaced as a whole.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isRecord} from '../../kube/object.ts';

export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  path: string;
  value?: unknown;
}

export function jsonDifference(before: unknown, after: unknown, path = ''): PatchOperation[] {
  if (deepEqual(before, after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{op: 'replace', path, value: after}];
  const out: PatchOperation[] = [];
  for (const key of Object.keys(before))
    if (after[key] === undefined && before[key] !== undefined)
      out.push({op: 'remove', path: `${path}/${escaped(key)}`});
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const below = `${path}/${escaped(key)}`;
    if (before[key] === undefined) out.push({op: 'add', path: below, value});
    else out.push(...jsonDifference(before[key], value, below));
  }
  return out;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
