// The types of the items that an exported module reads. Built-in kinds come from krtscope/types, all other types are
// copied from the declarations of the Lab.
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';

const builtInGroups = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

const isBuiltIn = ({group, version}: WireResource) =>
  builtInGroups.has(group) && (version === 'v1' || (group === 'autoscaling' && version === 'v2'));

const storedType = `/** An object as a server stores it. */
type Stored<T extends {metadata: object}, M = {namespace: string}> = T &
  Required<Pick<T, Extract<keyof T, 'spec' | 'status'>>> & {readonly metadata: M & {readonly uid: string}};`;

/** Collections whose types must come from declarations. */
export function collectionsToDeclare(names: readonly string[], graph: Graph | null): string[] {
  return names.filter(name => {
    const resource = graph?.collections.find(node => node.name === name)?.resource;
    return (
      name !== 'Clock' &&
      parseGroupName(name) === undefined &&
      (resource === undefined || !isBuiltIn(resource))
    );
  });
}

/** Declares `Items`, and everything that it needs. */
export function itemTypes(names: readonly string[], graph: Graph | null, declarations: string): string {
  let usesBuiltIn = false;
  const own = new Set(collectionsToDeclare(names, graph));
  const fields = names.map(name => {
    const resource = graph?.collections.find(node => node.name === name)?.resource;
    if (name === 'Clock') return `  ${JSON.stringify(name)}: {readonly minute: number};`;
    const grouped = parseGroupName(name)?.collection;
    if (grouped !== undefined)
      return `  ${JSON.stringify(name)}: {readonly key: string; readonly objects: readonly Items[${JSON.stringify(grouped)}][]};`;
    if (own.has(name) || resource === undefined)
      return `  ${JSON.stringify(name)}: ${declaredType(name, declarations)};`;
    usesBuiltIn = true;
    const {group, version, kind, namespaced} = resource;
    const type = `BuiltInObjects['${group === '' ? version : `${group}/${version}`}']['${kind}']`;
    return `  ${JSON.stringify(name)}: Stored<${type}${namespaced ? '' : ', {}'}>;`;
  });
  return [
    ...(usesBuiltIn ? ["import type {BuiltInObjects} from 'krtscope/types';", '', storedType] : ['']),
    ...(fields.some(field => field.includes('k8s.')) ? [declaredKinds(declarations)] : []),
    `/** The items of the collections that the formula reads. */\ninterface Items {\n${fields.join('\n')}\n}`,
  ].join('\n');
}

function declaredType(name: string, declarations: string): string {
  const start = `  readonly ${JSON.stringify(name)}: `;
  const line = declarations.split('\n').find(one => one.startsWith(start));
  return line === undefined ? 'any' : line.slice(start.length).replace(/;$/, '');
}

/** The kinds of the declarations, without their comments. */
function declaredKinds(declarations: string): string {
  const from = declarations.indexOf('declare namespace k8s {');
  const to = declarations.indexOf('\n}\n', from);
  if (from < 0 || to < 0) return '';
  return declarations
    .slice(from, to + 2)
    .split('\n')
    .filter(line => !/^\s*\/\*\*.*\*\/$/.test(line))
    .join('\n');
}
