// Admission of a write: mutating webhooks one after the other, then validating ones. A verb calls these functions;
// what webhooks answer is remembered, and the verb runs again.
import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {StatusDetails} from '../../kube/object.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import {convertToVersion} from '../kinds/version-conversion.ts';
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import {jsonPatch} from '../patch/json-patch.ts';
import type {WriteContext} from '../verbs/write.ts';
import {decodePatched} from '../wire/body/decode-body.ts';
import {forbidden, StatusError} from '../wire/responses/status-error.ts';
import type {AdmissionAttributes, AdmissionOperation} from './admission-request.ts';
import {PendingCallError, remember, remembered} from './pending-call.ts';
import {type AdmissionResponse, callWebhook, deniedStatus, WebhookCallError} from './webhook-call.ts';
import {type ConfiguredWebhook, configuredWebhooks, matchWebhook, targetOf} from './webhook-match.ts';

type WebhookAnswer = (AdmissionResponse & {resource: ServedResource}) | {failure: string};

class PendingAdmissionError extends PendingCallError {
  readonly #calls: (() => Promise<void>)[];

  constructor(calls: (() => Promise<void>)[]) {
    super('admission webhooks have not answered yet');
    this.#calls = calls;
  }

  async call(): Promise<void> {
    await Promise.all(this.#calls.map(call => call()));
  }
}

function attributesOf(
  write: WriteContext,
  operation: AdmissionOperation,
  object: StoredObject | undefined,
  oldObject: StoredObject | undefined,
): AdmissionAttributes | undefined {
  if (!write.client) return undefined;
  const name = object?.metadata.name ?? oldObject?.metadata.name ?? '';
  return {write, client: write.client, operation, name, object, oldObject};
}

/** The object after all mutating webhooks; the same one if nothing changed. */
export function admitMutation(
  write: WriteContext,
  operation: AdmissionOperation,
  object: StoredObject | undefined,
  oldObject: StoredObject | undefined,
): StoredObject | undefined {
  const first = attributesOf(write, operation, object, oldObject);
  if (!first) return object;
  const webhooks = configuredWebhooks(first, true);
  if (webhooks.length === 0) return object;
  let current = object;
  let invoked: ConfiguredWebhook[] = [];
  let again = new Set<ConfiguredWebhook>();
  for (const round of ['first', 'again'] as const) {
    const chosen = round === 'first' ? webhooks : webhooks.filter(webhook => again.has(webhook));
    for (const webhook of chosen) {
      const result = invoke(webhook, {...first, object: current}, round);
      if (!result) continue;
      if (result.changed) {
        current = result.object;
        // A later change asks those again that want it, once.
        again = new Set([...again, ...invoked]);
        invoked = [];
      }
      if (webhook.reinvoked) invoked.push(webhook);
    }
  }
  return current;
}

function invoke(
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  round: string,
): {object: StoredObject | undefined; changed: boolean} | undefined {
  const answer = answerOf([webhook], attributes, round)[0];
  if (!answer || !accept(webhook, answer, attributes)) return undefined;
  const {object, write} = attributes;
  if ('failure' in answer || answer.patch === undefined || !object) return {object, changed: false};
  const patched = applyPatch(answer.patch, convertToVersion(answer.resource, object), write);
  return {object: patched, changed: !deepEqual(patched, object)};
}

/** A patch that does not fit is an error of the webhook, not of the client. */
function applyPatch(patch: unknown, object: StoredObject, write: WriteContext): StoredObject {
  const {resource} = write;
  try {
    const patched = jsonPatch(deepCopy(object), patch) as StoredObject;
    const decoded = decodePatched(resource, convertToVersion(resource, patched), [], 'Ignore', []);
    resource.rules.default?.(decoded);
    return decoded;
  } catch (error) {
    if (error instanceof PendingCallError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw internalError(
      message
        .replace(/^.*? cannot be handled as an? .*?: /s, '')
        // Clients and webhooks see other words for the same mistake.
        .replace(
          /^remove operation does not apply: doc is missing key: (.*\/([^/]*)): missing value$/,
          "error in remove for path: '$1': Unable to remove nonexistent key: $2: missing value",
        ),
    );
  }
}

/** Throws if a validating webhook denies the write. */
export function admitValidation(
  write: WriteContext,
  operation: AdmissionOperation,
  object: StoredObject | undefined,
  oldObject: StoredObject | undefined,
): void {
  const attributes = attributesOf(write, operation, object, oldObject);
  if (!attributes) return;
  const webhooks = configuredWebhooks(attributes, false);
  if (webhooks.length === 0) return;
  const answers = answerOf(webhooks, attributes, 'validate');
  let denial: unknown;
  webhooks.forEach((webhook, i) => {
    const answer = answers[i];
    if (!answer) return;
    try {
      accept(webhook, answer, attributes);
    } catch (error) {
      denial ??= error;
    }
  });
  if (denial !== undefined) throw denial;
}

/** The answers, undefined for webhooks that do not apply. Throws a pending call for those that are missing. */
function answerOf(
  webhooks: readonly ConfiguredWebhook[],
  attributes: AdmissionAttributes,
  round: string,
): (WebhookAnswer | undefined)[] {
  const calls: (() => Promise<void>)[] = [];
  const keyOf = ({id}: ConfiguredWebhook) =>
    `admission/${round}/${id}/${attributes.operation}/${attributes.write.namespace}/${attributes.name}`;
  const answers = webhooks.map(webhook => {
    const known = remembered<WebhookAnswer | 'no match'>(keyOf(webhook));
    if (known !== undefined) return known === 'no match' ? undefined : known;
    const match = matchWebhook(webhook, attributes);
    if (!match) {
      remember(keyOf(webhook), 'no match');
      return undefined;
    }
    if ('error' in match) {
      if (webhook.ignoresFailures) return undefined;
      throw forbidden(attributes.write.resource, attributes.name, match.error);
    }
    calls.push(async () => remember(keyOf(webhook), await ask(webhook, match)));
    return undefined;
  });
  if (calls.length > 0) throw new PendingAdmissionError(calls);
  return answers;
}

async function ask(
  webhook: ConfiguredWebhook,
  {request, resource}: {request: JsonObject; resource: ServedResource},
): Promise<WebhookAnswer> {
  const target = targetOf(webhook);
  if ('error' in target) return {failure: target.error};
  try {
    const review = {kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request};
    return {...(await callWebhook(target, review)), resource};
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    return {failure: error.message};
  }
}

/** Whether the answer counts. Throws a denial, or a failure that the policy does not ignore. */
function accept(webhook: ConfiguredWebhook, answer: WebhookAnswer, {write}: AdmissionAttributes): boolean {
  if ('failure' in answer) {
    if (webhook.ignoresFailures) return false;
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${answer.failure}`);
  }
  write.warnings.push(...answer.warnings.filter(isPrintable));
  if (answer.allowed) return true;
  const {code, reason, message, details} = deniedStatus(webhook.name, answer.status);
  throw new StatusError(code, reason, message, details as StatusDetails | undefined);
}

/** Headers cannot hold control characters. */
const isPrintable = (text: string): boolean => [...text].every(letter => letter >= ' ');

function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {causes: [{message}]});
}
