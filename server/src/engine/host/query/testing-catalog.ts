// For tests of why-not and why-empty: a shop whose Service selects three Pods, one of them with a misspelt label.
import type {WireWriter} from '@krtscope/shared/run.ts';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from './testing-graph-host.ts';

export function createCatalogShop(
  writer: WireWriter = {manager: 'kubectl-edit', operation: 'Update'},
): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  const owner = {
    metadata: {ownerReferences: [{kind: 'ReplicaSet', name: 'catalog-5d', uid: 'u1', controller: true}]},
  };
  const owned = (name: string, labels: Record<string, string>): HostTestObject => {
    const made = pod(name, labels);
    return {...made, metadata: {...made.metadata, ...owner.metadata}};
  };
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('catalog', {app: 'catalog', tier: 'backend'})],
  });
  r.write(
    {
      Pods: [
        owned('catalog-a', {app: 'catalog', tier: 'backend'}),
        owned('catalog-b', {app: 'catalog', tier: 'backend'}),
        owned('catalog-c', {app: 'catlog', tier: 'backend'}),
      ],
    },
    writer,
  );
  return r;
}
