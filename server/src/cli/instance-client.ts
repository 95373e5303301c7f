// Finds a running instance and queries it. Every failure prints one line and ends with exit code 1, or the given one.
// It uses node:http, because loading fetch takes longer than most answers.
import {homedir} from 'node:os';
import {join} from 'node:path';
import {findRunningInstance} from '../start/data-dir.ts';
import {escapeControlCharacters} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';

export interface InstanceTarget {
  url: string;
  token: string;
  session?: string;
}

interface InstanceTargetOptions {
  url?: string;
  token?: string;
  session?: string;
  dataDir?: string;
  /** The exit code without an instance. */
  exitCode?: number;
}

interface InstanceRequest {
  /** Sent as JSON in a POST. */
  body?: unknown;
  exitCode?: number;
}

/** An error of the instance: `code` is one of docs/api.md, or `unreachable`. */
export class InstanceError extends Error {
  override readonly name = 'InstanceError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The instance given by --url, else the newest running one. Ends the process when there is none. */
export function findInstanceTarget(
  {url, token, session, dataDir, exitCode}: InstanceTargetOptions,
  env: Record<string, string | undefined>,
): InstanceTarget {
  const instance = findRunningInstance(dataDir ?? env.KRTSCOPE_DATA_DIR ?? defaultDataDir(env));
  const at = url ?? instance?.address;
  if (at === undefined)
    exitWithError(
      'no running instance was found; start one with "krtscope", or give --url and --token',
      exitCode,
    );
  if (!URL.canParse(at as string) || !/^https?:/.test(at as string)) {
    throw new UsageError(
      `--url is "${at}"; give the address that krtscope printed, such as http://127.0.0.1:7070`,
    );
  }
  const address = new URL(at as string);
  const inUrl = address.searchParams.get('token') ?? undefined;
  return {
    url: address.origin,
    token: token ?? inUrl ?? (env.KRTSCOPE_TOKEN || instance?.token) ?? '',
    session,
  };
}

/** The default of --data-dir. */
function defaultDataDir(env: Record<string, string | undefined>): string {
  return join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'krtscope');
}

/** Ends the process if the instance refuses. */
export async function requestFromInstance(
  target: InstanceTarget,
  path: string,
  query: Record<string, string | undefined>,
  {body, exitCode}: InstanceRequest = {},
): Promise<unknown> {
  try {
    return await fetchFromInstance(target, path, query, body);
  } catch (error) {
    return exitWithError((error as Error).message, exitCode);
  }
}

/** What to do in a terminal, where the hint of the API is about requests. */
const terminalHints: Record<string, string | undefined> = {
  'unknown-session': 'krtscope sessions lists them',
  unauthorized: 'give it with --token, or set KRTSCOPE_TOKEN',
};

/** Throws InstanceError. JSON is parsed, text is a string, anything else is bytes. */
export async function fetchFromInstance(
  target: InstanceTarget,
  path: string,
  query: Record<string, string | undefined>,
  sent?: unknown,
): Promise<unknown> {
  const url = new URL(`/api/v1${path}`, target.url);
  for (const [name, value] of Object.entries({...query, session: target.session})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const {status, type, bytes} = await send(target, url, sent);
  const isJson = type.includes('json');
  const body = isJson
    ? JSON.parse(bytes.toString('utf8'))
    : type.includes('octet')
      ? bytes
      : bytes.toString();
  if (status >= 200 && status < 300) return body;
  const {code = `http-${status}`, message = `it answers ${status}`, hint: ofApi = ''} = isJson ? body : {};
  const hint = terminalHints[code] ?? ofApi;
  throw new InstanceError(code, hint === '' ? message : `${message}; ${hint}`);
}

interface InstanceResponse {
  status: number;
  type: string;
  bytes: Buffer;
}

async function send(target: InstanceTarget, url: URL, body: unknown): Promise<InstanceResponse> {
  const {request} = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${target.token}`, accept: 'application/json'};
    const req = request(url, {method: text === undefined ? 'GET' : 'POST', headers}, res => {
      const pieces: Buffer[] = [];
      res.on('data', piece => pieces.push(piece));
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          type: res.headers['content-type'] ?? '',
          bytes: Buffer.concat(pieces),
        }),
      );
      res.on('error', reject);
    });
    req.on('error', error => reject(unreachable(target, error)));
    req.end(text);
  });
}

function unreachable({url}: InstanceTarget, error: NodeJS.ErrnoException): InstanceError {
  const isCertificate = /CERT|SELF_SIGNED|ISSUER|TLS/.test(error.code ?? '');
  return new InstanceError(
    'unreachable',
    isCertificate
      ? `${url} has a certificate that is not trusted (${error.code}); set NODE_EXTRA_CA_CERTS to its CA file`
      : `${url} does not answer; is krtscope running there?`,
  );
}

export function exitWithError(message: string, code = 1): never {
  process.stderr.write(`krtscope: ${escapeControlCharacters(message)}\n`);
  process.exit(code);
}
