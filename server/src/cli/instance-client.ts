// Finds a running instance and queries it. Every failure prints one line and ends with exit code 1.
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
}

/** The instance given by --url, else the newest running one. Ends the process when there is none. */
export function findInstanceTarget(
  {url, token, session, dataDir}: InstanceTargetOptions,
  env: Record<string, string | undefined>,
): InstanceTarget {
  const {config} = parseConfig(dataDir === undefined ? [] : ['--data-dir', dataDir], env);
  const instance = findRunningInstance(config.dataDir);
  const at = url ?? instance?.address;
  if (at === undefined)
    fail('no running instance was found; start one with "krtscope", or give --url and --token');
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
): Promise<unknown> {
  const url = new URL(`/api/v1${path}`, target.url);
  for (const [name, value] of Object.entries({...query, session: target.session})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  let answer: Response;
  try {
    answer = await fetch(url, {
      headers: {authorization: `Bearer ${target.token}`, accept: 'application/json'},
    });
  } catch {
    return fail(`${target.url} does not answer; is krtscope running there?`);
  }
  const json = answer.headers.get('content-type')?.includes('json') === true;
  const body = json ? await answer.json() : await answer.text();
  if (answer.ok) return body;
  const {message = answer.statusText, hint = ''} = (json ? body : {}) as {message?: string; hint?: string};
  return fail(hint === '' ? message : `${message}; ${hint}`);
}

function fail(message: string): never {
  process.stderr.write(`krtscope: ${escapeControlCharacters(message)}\n`);
  process.exit(1);
}
