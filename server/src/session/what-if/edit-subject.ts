// Which object an edit is about: its source, its key and its name as kubectl prints it.
import type {CollectionNode, Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {Edit} from '@krtscope/shared/what-if/what-if.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';

export interface EditSubject {
  readonly collection: string;
  readonly resource: WireResource;
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  /** "Service shop/cart". */
  readonly text: string;
}

/** The sources of a moment, by which edits find their collection. */
export class EditableSources {
  readonly #sources: readonly (CollectionNode & {resource: WireResource})[];
  readonly #names: ReadonlySet<string>;

  constructor({collections}: Graph) {
    this.#names = new Set(collections.map(({name}) => name));
    this.#sources = collections.filter(
      (node): node is CollectionNode & {resource: WireResource} => node.resource !== undefined,
    );
  }

  get all(): readonly (CollectionNode & {resource: WireResource})[] {
    return this.#sources;
  }

  /** Undefined if the kind of an applied object is not a source. Throws EngineFailure if it is not an object. */
  subjectOf(edit: Edit): EditSubject | undefined {
    if ('apply' in edit) return this.#ofObject(edit.apply);
    const {collection, key} = 'patch' in edit ? edit.patch : 'delete' in edit ? edit.delete : edit.undo;
    const source = this.#sources.find(({name}) => name === collection);
    if (source !== undefined) return toSubject(source, ...splitKey(key, source.resource.namespaced));
    if (this.#names.has(collection))
      throw refused(
        `${collection} is computed: its rows cannot be edited`,
        'edit an object that its rows are computed from; Why shows them',
      );
    throw new EngineFailure({
      code: 'unknown-collection',
      message: `there is no collection "${collection}"`,
      hint: `sources are ${this.#sources.map(({name}) => name).join(', ')}`,
    });
  }

  #ofObject(object: Readonly<Record<string, unknown>>): EditSubject | undefined {
    const {apiVersion, kind} = object;
    const metadata = (object.metadata ?? {}) as {name?: unknown; namespace?: unknown};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || apiVersion === '' || kind === '')
      throw refused('an object has no apiVersion or no kind', 'apply a whole Kubernetes object');
    if (typeof metadata.name !== 'string' || metadata.name === '')
      throw refused(`a ${kind} has no metadata.name`, 'give it a name; generateName cannot be previewed');
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const source = this.#sources.find(({resource}) => resource.group === group && resource.kind === kind);
    if (source === undefined) return undefined;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    if (version !== source.resource.version)
      throw refused(
        `${kind} ${metadata.name} is ${apiVersion}, and krtscope reads ${source.resource.version}`,
        `write it as ${group === '' ? '' : `${group}/`}${source.resource.version}`,
      );
    const namespace =
      typeof metadata.namespace === 'string' && metadata.namespace !== '' ? metadata.namespace : 'default';
    return toSubject(source, source.resource.namespaced ? namespace : '', metadata.name);
  }
}

function toSubject(
  {name: collection, resource}: {name: string; resource: WireResource},
  namespace: string,
  name: string,
): EditSubject {
  const key = namespace === '' ? name : `${namespace}/${name}`;
  return {collection, resource, namespace, name, key, text: `${resource.kind} ${key}`};
}

function splitKey(key: string, isNamespaced: boolean): [namespace: string, name: string] {
  if (!isNamespaced) return ['', key];
  const at = key.indexOf('/');
  if (at < 1)
    throw refused(`"${key}" names no object of a namespaced kind`, 'give the key as NAMESPACE/NAME');
  return [key.slice(0, at), key.slice(at + 1)];
}

function refused(message: string, hint: string): EngineFailure {
  return new EngineFailure({code: 'invalid-edit', message, hint});
}
