// Where a program reports to: the krtscope that KRTSCOPE_URL names, else the newest that runs on this machine.

import {readdirSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';

export interface Target {
  /** Of the WebSocket. */
  url: string;
  token: string;
}

type Environment = Record<string, string | undefined>;

/** Undefined where there is none now; `off` where the program was told not to look. */
export function findTarget(env: Environment = process.env): Target | 'off' | undefined {
  const named = env.KRTSCOPE_URL?.trim();
  if (named === 'off') return 'off';
  if (named) return targetOf(named, env.KRTSCOPE_TOKEN ?? '');
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  const instance = newestInstance(join(env.KRTSCOPE_DATA_DIR || join(state, 'krtscope'), 'instances'));
  return instance && targetOf(instance.address, instance.token);
}

function targetOf(address: string, token: string): Target | undefined {
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

interface Instance {
  address: string;
  token: string;
  pid: number;
  started: number;
}

function newestInstance(folder: string): Instance | undefined {
  let names: string[];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.json'));
  } catch {
    return undefined;
  }
  return names
    .map(name => read(join(folder, name)))
    .filter(one => one !== undefined)
    .filter(({pid}) => pid !== process.pid && lives(pid))
    .sort((a, b) => b.started - a.started)[0];
}

function read(file: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Instance;
  } catch {
    return undefined;
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
