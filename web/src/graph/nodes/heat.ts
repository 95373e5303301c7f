// The heat of a collection: the number that the reader chose, in three steps.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {Heat} from '../use-graph-choice.ts';

export function heatValue(collection: CollectionNode, heat: Heat): number {
  switch (heat) {
    case 'runs':
      return collection.rate;
    case 'equal':
      return collection.equal;
    case 'size':
      return collection.size;
    case 'failed':
      return collection.failed;
    default:
      return 0;
  }
}

export function heatStep(collection: CollectionNode, heat: Heat, most: number): number | undefined {
  if (heat === 'none') return undefined;
  const value = heatValue(collection, heat);
  if (value === 0 || most === 0) return 0;
  return Math.min(3, Math.max(1, Math.ceil((Math.log1p(value) / Math.log1p(most)) * 3)));
}
