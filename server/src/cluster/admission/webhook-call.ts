// Asks one admission webhook over HTTPS. Errors have the words of the real server's HTTP client.
import {request} from 'node:https';
import {isObject, type JsonObject, numberAt, stringAt} from '../object/stored-object.ts';

/** The call failed, so the failure policy decides. */
export class WebhookCallError extends Error {}

export interface AdmissionResponse {
  allowed: boolean;
  warnings: string[];
  status: JsonObject | undefined;
  /** A JSON patch, decoded. */
  patch: unknown;
}

export interface WebhookTarget {
  name: string;
  url: string;
  caBundle: string;
  timeoutSeconds: number;
  mutating: boolean;
}

export async function callWebhook(target: WebhookTarget, review: JsonObject): Promise<AdmissionResponse> {
  const text = await post(target, JSON.stringify(review));
  return readResponse(target, text, stringAt(review, 'request', 'uid'));
}

function post({url, caBundle, timeoutSeconds}: WebhookTarget, body: string): Promise<string> {
  const address = new URL(url);
  address.searchParams.set('timeout', `${timeoutSeconds}s`);
  const failed = (why: string) =>
    new WebhookCallError(`failed to call webhook: Post ${JSON.stringify(address.href)}: ${why}`);
  return new Promise((resolve, reject) => {
    const sent = request(
      address,
      {
        method: 'POST',
        ...(caBundle !== '' && {ca: Buffer.from(caBundle, 'base64')}),
        agent: false,
        headers: {
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'kube-apiserver-admission',
        },
      },
      answer => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', error => reject(failed(error.message)));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const code = answer.statusCode ?? 0;
          if (code >= 200 && code < 300) resolve(text);
          else {
            const shown = /^text\//.test(answer.headers['content-type'] ?? '') ? text : '';
            reject(new WebhookCallError(`failed to call webhook: ${statusText(code, shown)}`));
          }
        });
      },
    );
    const timer = setTimeout(() => {
      reject(failed('context deadline exceeded'));
      sent.destroy();
    }, timeoutSeconds * 1000);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', (error: NodeJS.ErrnoException) => reject(failed(networkText(error, address))));
    sent.end(body);
  });
}

function networkText(error: NodeJS.ErrnoException, {hostname, port}: URL): string {
  const address = `${hostname}:${port || '443'}`;
  switch (error.code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'ECONNRESET':
      return 'EOF';
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    default:
      return error.message;
  }
}

function statusText(code: number, body: string): string {
  if (code === 404) return 'the server could not find the requested resource';
  if (code >= 500)
    return `an error on the server (${JSON.stringify(body.trim() || 'unknown')}) has prevented the request from succeeding`;
  if (code === 401) return 'the server has asked for the client to provide credentials';
  return `the server rejected our request for an unknown reason (${code})`;
}

function readResponse(target: WebhookTarget, text: string, uid: string): AdmissionResponse {
  const invalid = (why: string) => new WebhookCallError(`received invalid webhook response: ${why}`);
  let review: unknown;
  try {
    review = JSON.parse(text);
  } catch (error) {
    throw new WebhookCallError(
      `failed to call webhook: couldn't get version/kind; json parse error: ${(error as Error).message}`,
    );
  }
  const kind = stringAt(review, 'kind');
  if (kind !== '' && kind !== 'AdmissionReview')
    throw new WebhookCallError(
      `failed to call webhook: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(stringAt(review, 'apiVersion'))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  const response = isObject(review) ? review.response : undefined;
  if (!isObject(response)) throw invalid('webhook response was absent');
  const given = stringAt(response, 'uid');
  if (given !== uid)
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  return {
    allowed: response.allowed === true,
    warnings: Array.isArray(response.warnings) ? response.warnings.map(String) : [],
    status: isObject(response.status) ? response.status : undefined,
    patch: readPatch(target, response, invalid),
  };
}

function readPatch(
  {mutating}: WebhookTarget,
  response: JsonObject,
  invalid: (why: string) => WebhookCallError,
): unknown {
  const encoded = stringAt(response, 'patch');
  if (encoded === '') {
    if (stringAt(response, 'patchType') !== '')
      throw invalid('webhook returned response.patchType but not response.patch');
    return undefined;
  }
  if (!mutating) throw invalid('validating webhook may not return response.patch');
  const type = stringAt(response, 'patchType');
  if (type === '') throw invalid('webhook returned response.patch but not response.patchType');
  if (type !== 'JSONPatch')
    throw invalid(`webhook returned invalid response.patchType of ${JSON.stringify(type)}`);
  const undecodable = (why: string) =>
    new WebhookCallError(`received undecodable patch in webhook response: ${why}`);
  let patch: unknown;
  try {
    patch = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch (error) {
    throw undecodable((error as Error).message);
  }
  if (!Array.isArray(patch))
    throw undecodable(`json: cannot unmarshal ${typeof patch} into Go value of type jsonpatch.Patch`);
  return patch;
}

/** The Status of a denied request; its code is at least 400. */
export function deniedStatus(
  name: string,
  status: JsonObject | undefined,
): {
  code: number;
  reason: string;
  message: string;
  details: JsonObject | undefined;
} {
  const code = numberAt(status, 'code');
  const reason = stringAt(status, 'reason');
  const why = stringAt(status, 'message') || reason;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  return {
    code: code < 400 ? 400 : code,
    reason,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    details: isObject(status?.details) ? status.details : undefined,
  };
}
