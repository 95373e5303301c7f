// For tests: starts krtscope as a user does, in a home of its own, and watches its output and descendants.
import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const bin = join(root, 'server', 'bin', 'krtscope.mjs');

export interface InstanceExit {
  code: number | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
}

export class TestInstance {
  readonly child: ChildProcess;
  readonly home: string;
  readonly ended: Promise<InstanceExit>;
  stdout = '';
  stderr = '';
  readonly #lines: Promise<string[]>;

  constructor(
    args: string[],
    options: {
      env?: Record<string, string>;
      command?: string[];
      home?: string;
      /** Another user than this process. */
      user?: {uid?: number; gid?: number};
      /** Starts it in a process group of its own, like a terminal. */
      group?: boolean;
    } = {},
  ) {
    this.home = options.home ?? mkdtempSync(join(tmpdir(), 'krtscope-home-'));
    const [command, ...first] = options.command ?? [process.execPath, bin];
    const started = Date.now();
    this.child = spawn(command as string, [...first, ...args], {
      cwd: root,
      detached: options.group === true,
      ...options.user,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {PATH: process.env.PATH ?? '', HOME: this.home, CI: '1', ...options.env},
    });
    let threeLines: (lines: string[]) => void = () => {};
    this.#lines = new Promise(resolve => {
      threeLines = resolve;
    });
    this.child.stdout?.on('data', chunk => {
      this.stdout += chunk;
      // npm prints two lines of its own first, and vite prints more under npm run dev.
      const lines = this.stdout.split('\n').slice(0, -1);
      const first = lines.findIndex(line => line.includes('?token='));
      if (first >= 0 && lines.length >= first + 3) threeLines(lines.slice(first));
    });
    this.child.stderr?.on('data', chunk => {
      this.stderr += chunk;
    });
    this.ended = new Promise(resolve => {
      this.child.on('close', code => {
        resolve({code, stdout: this.stdout, stderr: this.stderr, milliseconds: Date.now() - started});
        threeLines([]);
      });
    });
  }

  /** The start lines. Throws with the output if there are none. */
  async lines(): Promise<string[]> {
    const lines = await this.#lines;
    if (lines.length === 0) throw new Error(`krtscope ended before its three lines:\n${this.stderr}`);
    return lines;
  }

  /** The address and its token, separately. */
  async address(): Promise<{url: string; token: string}> {
    const text = /http:\S+token=\S+/.exec((await this.lines()).join('\n'))?.[0] ?? '';
    const url = new URL(text);
    return {url: url.origin, token: url.searchParams.get('token') ?? ''};
  }

  async get(path: string, init: RequestInit = {}): Promise<Response> {
    const {url, token} = await this.address();
    return fetch(new URL(path, url), {
      redirect: 'manual',
      ...init,
      // A connection that was idle may be closed by the server while the next request is on its way.
      headers: {authorization: `Bearer ${token}`, connection: 'close', ...init.headers},
    });
  }

  async json<T>(path: string): Promise<T> {
    const answer = await this.get(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Waits until every shipped collection is settled. */
  async ready(limitMs = 60_000): Promise<void> {
    const end = Date.now() + limitMs;
    for (;;) {
      const answer = await this.get('/readyz');
      if (answer.status === 200) return;
      const text = await answer.text();
      if (Date.now() > end) throw new Error(`never ready: ${text}\n${this.stderr}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }

  /** Ends it and all its descendants, and removes its home. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<InstanceExit> {
    const started = Date.now();
    if (signal === 'SIGKILL') this.killAll();
    else if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    const ended = await this.ended;
    rmSync(this.home, {recursive: true, force: true});
    return {...ended, milliseconds: Date.now() - started};
  }

  /** A failed test leaves npm's children, which hold the pipe. Waiting for its end would hang. */
  killAll(): void {
    const {pid} = this.child;
    if (pid === undefined) return;
    for (const one of [pid, ...descendants(pid)]) {
      try {
        process.kill(one, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
  }
}

/** All processes below this one, from /proc; none without /proc. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  if (process.platform !== 'linux') return [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process ended while it was read.
    }
  }
  const below = (one: number): number[] =>
    [...parents].filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Descendants whose command line holds this text. */
export function processesOf(pid: number, text: string): number[] {
  return descendants(pid).filter(one => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

/** Returns the processes that still live after a generous wait. Zombies do not count. */
export async function survivors(pids: number[], limitMs = 20_000): Promise<number[]> {
  const end = Date.now() + limitMs;
  const lives = (pid: number) => {
    try {
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  for (;;) {
    const left = pids.filter(lives);
    if (left.length === 0 || Date.now() > end) return left;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
