// Errors of kube/: ApiError (the server answered with a failure), ConnectionError (no complete answer arrived),
// ReadOnlyError (the transport refused to send). KubeconfigError is in kubeconfig.ts.

import type {Status, StatusDetails} from './object.ts';

/** The server answered with a failure. `reason` is a Kubernetes reason, such as NotFound. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails;
  /** Seconds to wait, from Retry-After or from the Status. */
  readonly retryAfter: number | undefined;
  readonly status: Status | undefined;

  constructor(code: number, message: string, status?: Status, retryAfter?: number) {
    super(message);
    this.code = code;
    this.status = status;
    this.reason = status?.reason ?? reasonOf(code);
    this.details = status?.details ?? {};
    this.retryAfter = retryAfter ?? status?.details?.retryAfterSeconds;
  }
}

const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function reasonOf(code: number): string {
  return reasons[code] ?? 'Unknown';
}

/** Converts the Status of a body or of an ERROR watch event. */
export function errorOfStatus(status: Status, fallbackCode = 500): ApiError {
  const code = status.code ?? fallbackCode;
  return new ApiError(code, status.message ?? `${code} ${status.reason ?? reasonOf(code)}`, status);
}

export function isApiError(error: unknown, ...codes: number[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

export function isExpired(error: unknown): boolean {
  return isApiError(error) && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');
}

/** The server has not reached the requested resourceVersion: it lost history or lags far behind. */
export function isTooLargeVersion(error: unknown): boolean {
  if (!isApiError(error) || (error.code !== 504 && error.reason !== 'Timeout')) return false;
  return (
    error.details.causes?.some(cause => cause.reason === 'ResourceVersionTooLarge') === true ||
    error.message.includes('Too large resource version')
  );
}

export type ConnectionFailure = 'credentials' | 'tls' | 'timeout' | 'refused' | 'dns' | 'reset' | 'other';

/** No answer arrived, or it broke off. `failure` is the class of error, `stage` the step that failed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly failure: ConnectionFailure;
  readonly stage: 'connect' | 'list' | 'watch-start' | 'watch' | 'decode' | 'request';

  constructor(
    failure: ConnectionFailure,
    stage: ConnectionError['stage'],
    message: string,
    options?: {cause?: unknown},
  ) {
    super(message, options);
    this.failure = failure;
    this.stage = stage;
  }
}

/** The transport may only read, so it did not send the request. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';
}

const refused = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN']);
const dns = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const timeout = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const reset = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** Returns the class of a socket, DNS or TLS error. Follows `cause`. */
export function failureOf(error: unknown): ConnectionFailure {
  for (let cause: unknown = error, depth = 0; cause && depth < 5; depth++) {
    const {
      code,
      cause: next,
      errors,
      message,
    } = cause as {
      code?: unknown;
      cause?: unknown;
      errors?: unknown[];
      message?: unknown;
    };
    if (typeof code === 'string') {
      if (refused.has(code)) return 'refused';
      if (dns.has(code)) return 'dns';
      if (timeout.has(code)) return 'timeout';
      if (/CERT|TLS|SSL|_SIGNATURE|ISSUER/.test(code)) return 'tls';
      if (reset.has(code)) return 'reset';
    }
    if (typeof message === 'string' && /SSL routines|certificate|wrong version number/i.test(message))
      return 'tls';
    cause = next ?? errors?.[0];
  }
  return 'other';
}

/** Plain explanations of errors from Node and OpenSSL, which name neither the problem nor the fix. */
const explanations: readonly [pattern: RegExp, text: string][] = [
  [/ECONNREFUSED/, 'nothing is listening there'],
  [/EHOSTUNREACH|ENETUNREACH/, 'this machine has no network route to it'],
  [/ENOTFOUND|EAI_\w+/, 'the host name does not resolve'],
  [/ECONNRESET|socket hang up/, 'the server closed the connection'],
  [/key values mismatch/i, 'the client certificate and the client key do not match'],
  [/PEM routines|no start line/i, 'a certificate or key of the kubeconfig is not PEM text'],
  [/alert (bad|unknown|certificate|unsupported)/i, 'the server rejects the client certificate'],
  [/wrong version number|packet length too long/i, 'the server does not speak TLS; try http://'],
  [/certificate has expired/i, "the server's certificate has expired"],
  [/altname|does not match certificate/i, "the server's certificate is for another host name"],
  [
    /self.signed certificate|unable to (verify|get)/i,
    "the server's certificate is not signed by a CA that the kubeconfig names",
  ],
];

/** Returns the innermost message with its explanation. Keeps Node's text so that users can search for it. */
export function rootMessage(error: unknown): string {
  const message = innermost(error);
  const explanation = explanations.find(([pattern]) => pattern.test(message))?.[1];
  return explanation === undefined ? message : `${explanation} (${message})`;
}

/** undici wraps socket errors in generic ones. */
function innermost(error: unknown): string {
  let message = '';
  for (let cause: unknown = error, depth = 0; cause && depth < 5; depth++) {
    const {
      message: text,
      code,
      cause: next,
      errors,
    } = cause as {
      message?: unknown;
      code?: unknown;
      cause?: unknown;
      errors?: unknown[];
    };
    if (typeof text === 'string' && text) message = text;
    else if (typeof code === 'string') message = code;
    cause = next ?? errors?.[0];
  }
  return message || String(error);
}
