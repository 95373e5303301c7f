// Answers an AdmissionReview with a handler: allowed, refused with words, or a patch.

import {isApiError} from '../../kube/error.ts';
import {isRecord, type KubeObject} from '../../kube/object.ts';
import type {Logger} from '../log/logger.ts';
import {type AdmissionContext, AdmissionDeniedError, type AdmissionWebhook} from './admission-webhook.ts';
import type {ReviewAnswer} from './conversion-review.ts';
import {jsonDifference} from './json-difference.ts';

export async function answerAdmission(
  review: unknown,
  webhook: AdmissionWebhook,
  log: Logger,
): Promise<ReviewAnswer> {
  const request = isRecord(review) && isRecord(review.request) ? review.request : undefined;
  if (!request) return {code: 400, body: 'an AdmissionReview with a request is expected'};
  const warnings: string[] = [];
  const answer = (response: Record<string, unknown>) => ({
    code: 200,
    body: {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: {uid: request.uid, ...response, ...(warnings.length > 0 && {warnings})},
    },
  });
  const denied = (message: string, code = 403, reason = 'Forbidden') =>
    answer({allowed: false, status: {code, reason, message}});
  const [object, old] = [objectOf(request.object), objectOf(request.oldObject)];
  try {
    const result = await webhook.run(object, old, contextOf(request, warnings, log));
    if (typeof result === 'string') return denied(result);
    if (webhook.type === 'validating' || result === undefined || !object) return answer({allowed: true});
    const patch = jsonDifference(object, result);
    if (patch.length === 0) return answer({allowed: true});
    return answer({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    });
  } catch (error) {
    if (error instanceof AdmissionDeniedError) return denied(error.message, error.code, error.reason);
    const message = error instanceof Error ? error.message : String(error);
    const code = isApiError(error) && error.code >= 400 ? error.code : 500;
    return {...denied(`the webhook failed: ${message}`, code, 'InternalError'), panic: error};
  }
}

const objectOf = (value: unknown): KubeObject | undefined =>
  isRecord(value) ? (value as unknown as KubeObject) : undefined;

function contextOf(request: Record<string, unknown>, warnings: string[], log: Logger): AdmissionContext {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const user = isRecord(request.userInfo) ? request.userInfo : {};
  const [namespace, name] = [text(request.namespace), text(request.name)];
  return {
    operation: request.operation as AdmissionContext['operation'],
    namespace,
    name,
    dryRun: request.dryRun === true,
    user: {username: text(user.username), groups: Array.isArray(user.groups) ? user.groups.map(String) : []},
    subresource: text(request.subResource),
    log: log.with({namespace, name, operation: text(request.operation)}),
    warn: warning => void warnings.push(warning),
  };
}
