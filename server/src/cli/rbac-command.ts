// krtscope rbac [URL]: prints the role with the rights that a running operator used, from its metrics.
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {UsageError} from '../usage-error.ts';
import {type OperatorRight, parseRights, rightId, rightText, roleManifests} from './role-manifest.ts';

const rbacHelp = `krtscope rbac [URL] [--watch] [--name NAME] [--token TOKEN]

Prints a ClusterRole, and a Role for each namespace, with the rights that a running operator has used since it started. The operator
uses krtscope/runtime and serves metrics at URL (default: http://127.0.0.1:8080/metrics). Let it do everything it can do first:
create, change and delete its objects.

  --watch                 print again whenever the operator uses a new right, until Ctrl+C; restarts of the operator add up
  --name NAME             the name of the roles (default: operator)
  --token TOKEN           a bearer token, if the metrics need one
`;

const POLL_MS = 1000;

interface RightsRequest {
  url: string;
  name: string;
  token?: string | undefined;
}

export async function runRbacCommand(args: string[], signal?: AbortSignal): Promise<void> {
  const {values, positionals} = parseRbacArgs(args);
  if (values.help === true) return void process.stdout.write(rbacHelp);
  if (positionals.length > 1) throw new UsageError('usage: krtscope rbac URL, with one address');
  const request: RightsRequest = {
    url: metricsAddress(positionals[0] ?? 'http://127.0.0.1:8080/metrics'),
    name: values.name ?? 'operator',
    token: values.token,
  };
  const write = (text: string) => process.stdout.write(text);
  if (values.watch === true) return watchRights(request, write, text => process.stderr.write(text), signal);
  write(roleManifests(nonEmpty(await fetchRights(request), request.url), request.name));
}

/** Prints the roles whenever they grow. The operator may start later, and restart. */
export async function watchRights(
  request: RightsRequest,
  write: (text: string) => void,
  warn: (text: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const known = new Map<string, OperatorRight>();
  let problem = '';
  while (signal?.aborted !== true) {
    try {
      const added = (await fetchRights(request)).filter(right => !known.has(rightId(right)));
      for (const right of added) known.set(rightId(right), right);
      problem = '';
      if (added.length > 0) {
        const news = added.map(right => `# new: ${rightText(right)}\n`).join('');
        write(`---\n${news}${roleManifests([...known.values()], request.name)}`);
      }
    } catch (error) {
      const {message} = error as Error;
      if (message !== problem) warn(`${message}; waiting for it\n`);
      problem = message;
    }
    await sleep(POLL_MS, undefined, signal ? {signal} : {}).catch(() => {});
  }
}

async function fetchRights({url, token}: RightsRequest): Promise<OperatorRight[]> {
  let answer: Response;
  try {
    answer = await fetch(url, token === undefined ? {} : {headers: {authorization: `Bearer ${token}`}});
  } catch (error) {
    const reason = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
    throw new UsageError(`no operator answers at ${url} (${reason})`);
  }
  const text = await answer.text();
  if (answer.status === 401 || answer.status === 403)
    throw new UsageError(`${url} answered ${answer.status}; pass a token that may read it with --token`);
  if (!answer.ok) throw new UsageError(`${url} answered ${answer.status}; is it the metrics address?`);
  return parseRights(text);
}

function nonEmpty(rights: OperatorRight[], url: string): OperatorRight[] {
  if (rights.length > 0) return rights;
  throw new UsageError(
    `${url} names no rights; the operator needs krtscope/runtime of this version and must have run for a moment`,
  );
}

function metricsAddress(text: string): string {
  const url = URL.parse(/^https?:/.test(text) ? text : `http://${text}`);
  if (url === null)
    throw new UsageError(`"${text}" is not an address; example: http://127.0.0.1:8080/metrics`);
  if (url.pathname === '/') url.pathname = '/metrics';
  return url.href;
}

function parseRbacArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        watch: {type: 'boolean', short: 'w'},
        name: {type: 'string'},
        token: {type: 'string'},
        help: {type: 'boolean', short: 'h'},
      },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split(/\.\s/)[0]}; krtscope rbac --help lists its options`,
    );
  }
}
