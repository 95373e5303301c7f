// The sources that an example reads and this session does not have yet.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Recipe} from '@krtscope/shared/recipes/recipe.ts';

export function missingSources({sources = []}: Recipe, graph: Graph | null): string[] {
  const present = new Set(
    (graph?.collections ?? []).flatMap(({resource}) =>
      resource === undefined ? [] : [[resource.resource, resource.group].filter(Boolean).join('.')],
    ),
  );
  return sources.filter(source => !present.has(source));
}
