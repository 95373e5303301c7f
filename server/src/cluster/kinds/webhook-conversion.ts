// Conversion of custom resources by a webhook. A verb throws Unconverted for a missing conversion, and runs again
// when the webhook has answered.
import {randomUUID} from 'node:crypto';
import {request} from 'node:https';
import {PendingCallError, remember, remembered} from '../admission/pending-call.ts';
import {isObject, type JsonObject, listAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {StatusError} from '../wire/responses/status-error.ts';

const TIMEOUT_MS = 30_000;

export class UnconvertedError extends PendingCallError {
  readonly #conversion: WebhookConversion;
  readonly #objects: StoredObject[];
  readonly #apiVersion: string;

  constructor(conversion: WebhookConversion, objects: StoredObject[], apiVersion: string) {
    super(`not converted to ${apiVersion} yet`);
    this.#conversion = conversion;
    this.#objects = objects;
    this.#apiVersion = apiVersion;
  }

  call(): Promise<void> {
    return this.#conversion.convert(this.#objects, this.#apiVersion);
  }
}

export class WebhookConversion {
  readonly #client: JsonObject;

  constructor(definition: StoredObject) {
    const webhook = (definition.spec as JsonObject).conversion as JsonObject;
    const inner = isObject(webhook.webhook) ? webhook.webhook : {};
    this.#client = isObject(inner.clientConfig) ? inner.clientConfig : {};
  }

  /** The object in another version. Throws Unconverted if the webhook must convert it first. */
  get(object: StoredObject, apiVersion: string): StoredObject {
    const made = remembered<StoredObject>(contentOf(object, apiVersion));
    if (!made) throw new UnconvertedError(this, [object], apiVersion);
    const {labels, annotations} = made.metadata;
    const {labels: _, annotations: __, ...rest} = object.metadata;
    const metadata = {...rest, ...(labels && {labels}), ...(annotations && {annotations})};
    return {...made, apiVersion, kind: object.kind, metadata} as StoredObject;
  }

  /** Throws one Unconverted for all missing objects, so that a list needs one request. */
  need(objects: Iterable<StoredObject>, apiVersion: string): void {
    const missing = [...objects].filter(
      object => object.apiVersion !== apiVersion && remembered(contentOf(object, apiVersion)) === undefined,
    );
    if (missing.length > 0) throw new UnconvertedError(this, missing, apiVersion);
  }

  remember(object: StoredObject, made: StoredObject): void {
    remember(contentOf(object, made.apiVersion ?? ''), made);
  }

  async convert(objects: StoredObject[], apiVersion: string): Promise<void> {
    const first = objects[0];
    const failed = (why: string) =>
      new StatusError(500, '', `conversion webhook for ${first?.apiVersion}, Kind=${first?.kind} ${why}`);
    let answer: JsonObject;
    try {
      answer = await this.#ask(objects, apiVersion);
    } catch (error) {
      throw failed(`failed: ${(error as Error).message}`);
    }
    const status = stringAt(answer, 'response', 'result', 'status');
    if (status !== 'Success')
      throw failed(`failed: ${stringAt(answer, 'response', 'result', 'message') || 'no result'}`);
    const made = listAt(answer, 'response', 'convertedObjects') as StoredObject[];
    if (made.length !== objects.length)
      throw failed(`returned ${made.length} objects, expected ${objects.length}`);
    made.forEach((one, at) => {
      if (one?.apiVersion !== apiVersion || one.kind !== objects[at]!.kind)
        throw failed(
          `returned invalid converted object at index ${at}: invalid groupVersion/kind: ${one?.apiVersion} ${one?.kind}`,
        );
      if (
        one.metadata?.name !== objects[at]!.metadata.name ||
        one.metadata?.uid !== objects[at]!.metadata.uid
      )
        throw failed(`returned invalid metadata at index ${at}: must have the same name and uid`);
      this.remember(objects[at]!, one);
    });
  }

  #ask(objects: StoredObject[], apiVersion: string): Promise<JsonObject> {
    const url = stringAt(this.#client, 'url');
    if (url === '')
      throw new Error('the embedded cluster has no network behind its Services; give the webhook a url');
    const body = JSON.stringify({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {uid: randomUUID(), desiredAPIVersion: apiVersion, objects},
    });
    const ca = Buffer.from(stringAt(this.#client, 'caBundle'), 'base64');
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method: 'POST',
          ca,
          timeout: TIMEOUT_MS,
          agent: false,
          headers: {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)},
        },
        answer => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            try {
              if (answer.statusCode !== 200) throw new Error(`the server answered ${answer.statusCode}`);
              resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject);
            } catch (error) {
              reject(error as Error);
            }
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('context deadline exceeded')));
      sent.on('error', error => reject(new Error(`Post ${JSON.stringify(url)}: ${error.message}`)));
      sent.end(body);
    });
  }
}

function contentOf(object: StoredObject, apiVersion: string): string {
  const {metadata, ...fields} = object;
  const {labels, annotations, namespace} = metadata;
  // The server completes a generateName, so the name differs when the verb runs again.
  const name = metadata.generateName ? '' : metadata.name;
  return JSON.stringify([apiVersion, fields, labels, annotations, namespace, name]);
}
