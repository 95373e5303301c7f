// The committed types are those of the dumped schemas, and every kind that can be listed has a constant.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {dumpedDiscovery} from '../../server/src/cluster/schema/dumped-schemas.ts';
import * as runtime from '../../server/src/runtime/index.ts';
import {kubernetesTypes} from './kubernetes-types.ts';

const folder = join(import.meta.dirname, '..', '..', 'server', 'src', 'built-in-types');

test('server/src/built-in-types is what the generator writes', () => {
  const wanted = kubernetesTypes();
  const present = readdirSync(folder).filter(name => name.endsWith('.ts'));
  expect(present.sort()).toEqual([...wanted.keys()].sort());
  const stale = [...wanted].filter(([name, text]) => readFileSync(join(folder, name), 'utf8') !== text);
  expect(stale.map(([name]) => `${name} is stale; run node scripts/types/main.ts`)).toEqual([]);
});

test('every kind that can be listed is a constant of krtscope/runtime, or has a name that another group has', () => {
  const missing: string[] = [];
  for (const {group, version, resources} of dumpedDiscovery().groups) {
    for (const {responseKind, verbs} of resources) {
      if (!verbs.includes('list')) continue;
      const apiVersion = group === '' ? version : `${group}/${version}`;
      const constant = (runtime as Record<string, unknown>)[responseKind.kind] as runtime.Kind | undefined;
      if (constant?.apiVersion !== apiVersion) missing.push(`${apiVersion} ${responseKind.kind}`);
    }
  }
  expect(missing).toEqual(['events.k8s.io/v1 Event']);
});
