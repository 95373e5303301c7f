// The shapes of a response: the object, its metadata only, or a table.
import {stringify} from 'yaml';
import type {Api} from '../../api.ts';
import {groupVersion, listKind, type ServedResource} from '../../kinds/served-resource.ts';
import type {JsonObject, StoredObject} from '../../object/stored-object.ts';
import {tableOf} from '../../table/table.ts';
import type {ListAnswer} from '../../verbs/read.ts';
import type {Exchange} from '../exchange.ts';
import {negotiate, type ResponseForm} from './content-negotiation.ts';
import {badRequest} from './status-error.ts';

/** What a table's rows include of the object. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

export class ResponseShaper {
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly form: ResponseForm;
  readonly include: IncludeObject;
  #columnsSent = false;

  constructor(api: Api, resource: ServedResource, exchange: Exchange) {
    this.#api = api;
    this.#resource = resource;
    this.form = negotiate(exchange.accept);
    const include = exchange.query.get('includeObject');
    if (
      this.form.as === 'Table' &&
      include !== null &&
      !['', 'None', 'Metadata', 'Object'].includes(include)
    ) {
      throw badRequest(`unrecognized includeObject value: ${JSON.stringify(include)}`);
    }
    this.include = include === 'None' || include === 'Object' ? include : 'Metadata';
  }

  one(object: StoredObject | JsonObject): JsonObject {
    if (object.kind === 'Status') return object as JsonObject;
    if (this.form.as === 'Table') {
      const meta = {resourceVersion: (object as StoredObject).metadata.resourceVersion ?? ''};
      return this.#table([object as StoredObject], meta);
    }
    if (this.form.as.startsWith('PartialObjectMetadata')) return this.#partial(object as StoredObject);
    return object as JsonObject;
  }

  list(answer: ListAnswer): JsonObject {
    if (this.form.as === 'Table') return this.#table(answer.items, answer.metadata);
    if (this.form.as.startsWith('PartialObjectMetadata')) {
      const apiVersion = `meta.k8s.io/${this.form.version}`;
      const items = answer.items.map(item => this.#partial(item));
      return {kind: 'PartialObjectMetadataList', apiVersion, metadata: answer.metadata, items};
    }
    const items = this.#resource.custom ? answer.items : answer.items.map(withoutKind);
    return {
      kind: listKind(this.#resource),
      apiVersion: groupVersion(this.#resource),
      metadata: this.#resource.custom ? {continue: '', ...answer.metadata} : answer.metadata,
      items,
    };
  }

  /** Only the first table of a watch has column definitions. */
  event(object: StoredObject | JsonObject, type: string): JsonObject {
    if (this.form.as === '' || object.kind === 'Status') return object as JsonObject;
    if (this.form.as !== 'Table') return this.#partial(object as StoredObject);
    if (type === 'BOOKMARK') {
      const metadata = (object as StoredObject).metadata;
      const bare = {
        kind: 'Table',
        apiVersion: `meta.k8s.io/${this.form.version}`,
        metadata,
        columnDefinitions: null,
        rows: [],
      };
      return bare as unknown as JsonObject;
    }
    const table = this.one(object);
    if (this.#columnsSent) table.columnDefinitions = null;
    this.#columnsSent = true;
    return table;
  }

  /** The object as text in the requested media type. */
  encode(body: JsonObject, pretty: boolean): string {
    if (this.form.media === 'yaml')
      return stringify(body, {sortMapEntries: true, aliasDuplicateObjects: false, version: '1.1'});
    return `${JSON.stringify(body, undefined, pretty ? 2 : undefined)}${pretty ? '' : '\n'}`;
  }

  get contentType(): string {
    const media = this.form.media === 'yaml' ? 'application/yaml' : 'application/json';
    return this.form.as === '' ? media : `${media};as=${this.form.as};v=${this.form.version};g=meta.k8s.io`;
  }

  #table(items: StoredObject[], metadata: JsonObject): JsonObject {
    const table = tableOf(this.#api, this.#resource, items);
    const rows = table.rows.map((cells, i) => ({...cells, object: this.#rowObject(items[i]!)}));
    return {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${this.form.version}`,
      metadata,
      columnDefinitions: table.columns,
      rows,
    };
  }

  #rowObject(item: StoredObject): JsonObject | undefined {
    if (this.include === 'Object') return item as JsonObject;
    if (this.include === 'None') return undefined;
    return this.#partial(item);
  }

  #partial(object: StoredObject): JsonObject {
    return {
      kind: 'PartialObjectMetadata',
      apiVersion: `meta.k8s.io/${this.form.version}`,
      metadata: object.metadata,
    };
  }
}

function withoutKind(item: StoredObject): StoredObject {
  const {apiVersion: _version, kind: _kind, ...rest} = item;
  return rest as unknown as StoredObject;
}
