// Finds the krtscope to report to: the one of KRTSCOPE_URL, or the newest one on this machine.

import {homedir} from 'node:os';
import {join} from 'node:path';
import {newestInstance} from './instances.ts';

export interface ReportTarget {
  /** The URL of the WebSocket. */
  url: string;
  token: string;
}

type ReportEnvironment = Record<string, string | undefined>;

/** Returns undefined if there is none now, and `off` if reports are turned off. */
export function findTarget(env: ReportEnvironment = process.env): ReportTarget | 'off' | undefined {
  const named = env.KRTSCOPE_URL?.trim();
  if (named === 'off') return 'off';
  if (named) return targetOf(named, env.KRTSCOPE_TOKEN ?? '');
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const instance = newestInstance(
    join(env.KRTSCOPE_DATA_DIR || join(state, 'krtscope'), 'instances'),
    process.pid,
  );
  return instance && targetOf(instance.address, instance.token);
}

/** True when KRTSCOPE_URL names a krtscope and the token is missing: krtscope then refuses the program. */
export function isTokenMissing(env: ReportEnvironment = process.env): boolean {
  if (!env.KRTSCOPE_URL?.trim()) return false;
  const target = findTarget(env);
  return target !== undefined && target !== 'off' && target.token === '';
}

function targetOf(address: string, token: string): ReportTarget | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  const given = url.searchParams.get('token') ?? token;
  url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v1/programs`;
  url.search = '';
  url.hash = '';
  return {url: url.href, token: given};
}
