// Which namespaces and selectors to list and watch for a kind. The most specific setting wins: the kind's
// namespace, the kind, the namespace, the cache.

import type {Transform} from '../../kube/informer/entry-maker.ts';
import type {Scope} from '../../kube/informer/informer.ts';
import type {Resource} from '../../kube/resource.ts';
import type {Kind} from '../scheme/kind.ts';
import type {FieldSelectorMap} from './cache.ts';
import {fieldTerms, fieldText, labelText} from './selector.ts';

/** The objects of a kind or a namespace to cache. */
export interface Selection {
  /** The server sends only matching objects. An object that stops matching looks deleted. */
  labels?: Readonly<Record<string, string>> | string | undefined;
  fields?: FieldSelectorMap | string | undefined;
  /** Changes objects before they are cached. Must be deterministic. */
  transform?: Transform | undefined;
}

/** Settings by namespace; `''` applies to all other namespaces. */
export type NamespaceSelections = readonly string[] | Readonly<Record<string, Selection>>;

export interface KindSelection extends Selection {
  kind: Kind;
  /** Absent: the namespaces of the cache. Empty: all. */
  namespaces?: NamespaceSelections | undefined;
}

export interface Selections extends Selection {
  namespaces?: NamespaceSelections | undefined;
  byKind?: readonly KindSelection[] | undefined;
}

export interface CacheWatchPlan {
  scopes: Scope[];
  transform: Transform | undefined;
  /** Undefined: every namespace can be read. */
  namespaces: ReadonlySet<string> | undefined;
}

export function watchPlanOf(
  resource: Resource,
  own: KindSelection | undefined,
  all: Selections,
): CacheWatchPlan {
  if (own?.namespaces && !resource.namespaced)
    throw new Error(`${resource.kind} is cluster-scoped: leave namespaces out of its selection`);
  const chosen = entries(own?.namespaces ?? all.namespaces);
  if (!resource.namespaced || chosen.length === 0) {
    const one = mergeSelections([own, all]);
    return {scopes: [scopeOf(one)], transform: one.transform, namespaces: undefined};
  }
  const inherited = new Map(entries(all.namespaces));
  const names = chosen.map(([name]) => name);
  const parts = chosen.map(([name, selection]) => {
    const part = mergeSelections(
      own?.namespaces ? [selection, own, inherited.get(name), all] : [own, selection, all],
    );
    return {name, part};
  });
  const scopes = parts.map(({name, part}) => {
    if (name !== '') return {...scopeOf(part), namespace: name};
    const others = names.filter(one => one !== '').map(one => `metadata.namespace!=${one}`);
    return scopeOf(part, others);
  });
  const transforms = new Map(parts.map(({name, part}) => [name, part.transform]));
  const transform: Transform | undefined = [...transforms.values()].some(Boolean)
    ? (object, of) => {
        const {namespace = ''} = object.metadata;
        const change = transforms.has(namespace) ? transforms.get(namespace) : transforms.get('');
        return change ? change(object, of) : object;
      }
    : undefined;
  return {scopes, transform, namespaces: names.includes('') ? undefined : new Set(names)};
}

function entries(namespaces: NamespaceSelections | undefined): [string, Selection][] {
  if (namespaces === undefined) return [];
  if (isNames(namespaces)) return namespaces.map(name => [name, {}]);
  return Object.entries(namespaces);
}

function isNames(namespaces: NamespaceSelections): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}

function mergeSelections(selections: readonly (Selection | undefined)[]): Selection {
  const first = <Name extends keyof Selection>(name: Name) =>
    selections.find(one => one?.[name] !== undefined)?.[name];
  return {labels: first('labels'), fields: first('fields'), transform: first('transform')};
}

function scopeOf(selection: Selection, more: readonly string[] = []): Scope {
  const scope: Scope = {};
  const labels = labelText(selection.labels);
  if (labels) scope.labelSelector = labels;
  const terms = fieldTerms(selection.fields);
  // A request for one namespace uses its path, which needs no permission for all namespaces.
  const inOne = terms.find(({field, exact}) => field === 'metadata.namespace' && exact);
  if (inOne) scope.namespace = inOne.value;
  const otherTerms = terms
    .filter(one => one !== inOne)
    .map(one => fieldText(`${one.field}${one.exact ? '=' : '!='}${one.value}`));
  const fields = [...otherTerms, ...more].join(',');
  if (fields) scope.fieldSelector = fields;
  return scope;
}
