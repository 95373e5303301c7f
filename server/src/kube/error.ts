// The errors kube/ throws: what the server answered (ApiError), what kept us from its answer
// (ConnectionError), what we refuse to send (ReadOnlyError). Kubeconfig errors are in kubeconfig.ts.

import type {Status, StatusDetails} from './object.ts';

/** The server answered with a failure. `reason` is Kubernetes' own word for it, such as NotFound. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails;
  /** Seconds the server asked us to wait, from Retry-After or from the Status. */
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

/** A Status, from a body or from an ERROR watch event, as an error. */
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

/** The server has not reached the resourceVersion that was asked for: it lost history or is far behind. */
export function isTooLargeVersion(error: unknown): boolean {
  if (!isApiError(error) || (error.code !== 504 && error.reason !== 'Timeout')) return false;
  return (
    error.details.causes?.some(cause => cause.reason === 'ResourceVersionTooLarge') === true ||
    error.message.includes('Too large resource version')
  );
}

export type ConnectionFailure = 'credentials' | 'tls' | 'timeout' | 'refused' | 'dns' | 'reset' | 'other';

/** No answer came, or it ended in the middle. `failure` says which kind, `stage` what was going on. */
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

/** Thrown before anything is sent: this transport may only read. */
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

/** The class of a socket, DNS or TLS error, looking through its causes. */
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

/** What Node and OpenSSL mean: their own words tell a reader neither what is wrong nor where to mend it. */
const meanings: readonly [said: RegExp, means: string][] = [
  [/ECONNREFUSED/, 'nothing listens there'],
  [/EHOSTUNREACH|ENETUNREACH/, 'no way leads there from this machine'],
  [/ENOTFOUND|EAI_\w+/, 'there is no host of that name'],
  [/ECONNRESET|socket hang up/, 'the other side closed the connection'],
  [/key values mismatch/i, 'the client certificate and the client key do not belong together'],
  [/PEM routines|no start line/i, 'a certificate or key of the kubeconfig is not PEM text'],
  [/alert (bad|unknown|certificate|unsupported)/i, 'the server does not take the client certificate'],
  [/wrong version number|packet length too long/i, 'it does not speak TLS: http:// may be meant'],
  [/certificate has expired/i, 'the certificate of the server has expired'],
  [/altname|does not match certificate/i, 'the certificate of the server is for another name'],
  [
    /self.signed certificate|unable to (verify|get)/i,
    'the certificate of the server is signed by nobody that the kubeconfig names',
  ],
];

/** The innermost message that says something, in plain words; what Node said follows, for who searches for it. */
export function rootMessage(error: unknown): string {
  const message = innermost(error);
  const meaning = meanings.find(([said]) => said.test(message))?.[1];
  return meaning === undefined ? message : `${meaning} (${message})`;
}

/** undici wraps socket errors in ones that say nothing. */
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
