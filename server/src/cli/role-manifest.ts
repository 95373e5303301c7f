// The RBAC manifests for the rights that an operator used, from its metrics.
import {stringify} from 'yaml';

export interface OperatorRight {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  /** Empty: all namespaces or the cluster. `*`: too many to list. */
  namespace: string;
}

interface PolicyEntry {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const order = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Reads the rights from the text of /metrics. */
export function parseRights(metrics: string): OperatorRight[] {
  return [...metrics.matchAll(/^krtscope_used_rights_total\{([^}]*)\}/gm)].map(([, labels = '']) => {
    const of = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const {verb = '', group = '', resource = '', subresource = '', namespace = ''} = of;
    return {verb, group, resource, subresource, namespace};
  });
}

export function rightId({verb, group, resource, subresource, namespace}: OperatorRight): string {
  return [verb, group, resource, subresource, namespace].join(' ');
}

/** A right as kubectl writes it: `patch deployments.apps/status in namespace shop`. */
export function rightText({verb, group, resource, subresource, namespace}: OperatorRight): string {
  const what = `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
  return `${verb} ${what}${namespace === '' || namespace === '*' ? '' : ` in namespace ${namespace}`}`;
}

/**
 * A ClusterRole for what was used in all namespaces, and a Role for what was used in one. A resource that is listed
 * in all namespaces needs its other rights there, too, wherever they were used so far.
 */
export function roleManifests(rights: readonly OperatorRight[], name: string): string {
  const everywhere = new Set(
    rights
      .filter(({namespace}) => namespace === '' || namespace === '*')
      .map(({group, resource}) => `${group}/${resource}`),
  );
  const places = new Map<string, OperatorRight[]>();
  for (const right of rights) {
    const place = everywhere.has(`${right.group}/${right.resource}`) ? '' : right.namespace;
    places.set(place, [...(places.get(place) ?? []), right]);
  }
  return [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, used]) =>
      stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: namespace === '' ? 'ClusterRole' : 'Role',
        metadata: namespace === '' ? {name} : {name, namespace},
        rules: rulesOf(used),
      }),
    )
    .join('---\n');
}

/** One rule for resources of one group with the same verbs. */
function rulesOf(rights: readonly OperatorRight[]): PolicyEntry[] {
  const byResource = new Map<string, {group: string; resource: string; verbs: Set<string>}>();
  for (const {verb, group, resource, subresource} of rights) {
    const full = subresource === '' ? resource : `${resource}/${subresource}`;
    const entry = byResource.get(`${group} ${full}`) ?? {group, resource: full, verbs: new Set()};
    entry.verbs.add(verb);
    byResource.set(`${group} ${full}`, entry);
  }
  const rules = new Map<string, PolicyEntry>();
  for (const [, {group, resource, verbs: used}] of [...byResource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const verbs = [...used].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const id = `${group} ${verbs.join()}`;
    const rule = rules.get(id);
    if (rule) rule.resources.push(resource);
    else rules.set(id, {apiGroups: [group], resources: [resource], verbs});
  }
  return [...rules.values()];
}
