// The verb and path of the root write in the Kubernetes API. Pure.
import type {WireResource} from '@krtscope/shared/graph.ts';
import type {Hop} from '@krtscope/shared/why.ts';

export function writeVerb(hop: Hop): string {
  if (hop.event === 'add') return 'POST';
  if (hop.event === 'delete') return 'DELETE';
  return hop.writer?.operation === 'Apply' ? 'PATCH (apply)' : 'PATCH';
}

/** `/api/v1/namespaces/shop/pods/cart-1`, or the key if the kind is unknown. */
export function writePath(hop: Hop, resource: WireResource | undefined): string {
  if (!resource) return `${hop.collection} ${hop.key}`;
  const base =
    resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const slash = hop.key.indexOf('/');
  if (!resource.namespaced || slash < 0) return `${base}/${resource.resource}/${hop.key}`;
  return `${base}/namespaces/${hop.key.slice(0, slash)}/${resource.resource}/${hop.key.slice(slash + 1)}`;
}
