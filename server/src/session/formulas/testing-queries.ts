// For tests: asks a running krtscope about its collections and modules.
import type {ModuleState} from '@krtscope/shared/formulas.ts';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Item, Items} from '@krtscope/shared/items.ts';
import type {TestInstance} from '../../start/testing-instance.ts';

export interface InstanceQueries {
  graph(at?: number): Promise<Graph>;
  /** Undefined if there is no such collection. */
  node(name: string): Promise<CollectionNode | undefined>;
  rows(name: string): Promise<Item[]>;
  modules(): Promise<ModuleState[]>;
}

/** The instance to ask. It need not exist yet. */
export function queryInstance(instance: () => TestInstance): InstanceQueries {
  const graph = (at?: number) =>
    instance().json<Graph>(`/api/v1/graph${at === undefined ? '' : `?at=${at}`}`);
  return {
    graph,
    node: async name => (await graph()).collections.find(one => one.name === name),
    rows: async name =>
      (await instance().json<Items>(`/api/v1/collections/${encodeURIComponent(name)}/items?limit=1000`))
        .items,
    modules: async () => (await instance().json<{modules: ModuleState[]}>('/api/v1/formulas')).modules,
  };
}
