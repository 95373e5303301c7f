// Finds a running instance and queries it. Every failure prints one line and ends with exit code 1, or the given one.
import {parseConfig} from '../config.ts';
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

/** The instance given by --url, else the newest running one. Ends the process when there is none. */
export function findInstanceTarget(
  {url, token, session, dataDir, exitCode}: InstanceTargetOptions,
  env: Record<string, string | undefined>,
): InstanceTarget {
  const {config} = parseConfig(dataDir === undefined ? [] : ['--data-dir', dataDir], env);
  const instance = findRunningInstance(config.dataDir);
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
    token: token ?? inUrl ?? config.token ?? instance?.token ?? '',
    session,
  };
}

export async function requestFromInstance(
  target: InstanceTarget,
  path: string,
  query: Record<string, string | undefined>,
  {body: sent, exitCode}: InstanceRequest = {},
): Promise<unknown> {
  const url = new URL(`/api/v1${path}`, target.url);
  for (const [name, value] of Object.entries({...query, session: target.session})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  let answer: Response;
  try {
    answer = await fetch(url, {
      headers: {authorization: `Bearer ${target.token}`, accept: 'application/json'},
      ...(sent === undefined ? {} : {method: 'POST', body: JSON.stringify(sent)}),
    });
  } catch {
    return exitWithError(`${target.url} does not answer; is krtscope running there?`, exitCode);
  }
  const json = answer.headers.get('content-type')?.includes('json') === true;
  const body = json ? await answer.json() : await answer.text();
  if (answer.ok) return body;
  const {message = answer.statusText, hint = ''} = (json ? body : {}) as {message?: string; hint?: string};
  return exitWithError(hint === '' ? message : `${message}; ${hint}`, exitCode);
}

export function exitWithError(message: string, code = 1): never {
  process.stderr.write(`krtscope: ${escapeControlCharacters(message)}\n`);
  process.exit(code);
}
