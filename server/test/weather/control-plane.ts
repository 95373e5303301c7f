// A real control plane whose processes a trial may stop, kill, restart and restore. Sends signals only to
// processes of its own up.sh, or to their replacements.

import {spawn} from 'node:child_process';
import {cpSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as rest} from 'node:timers/promises';
import {startReal, type TestServer} from '../servers.ts';

type Program = 'etcd' | 'kube-apiserver';

interface Command {
  argv: string[];
  cwd: string;
}

export class ControlPlane {
  readonly server: TestServer & {state: string};
  readonly #commands = new Map<Program, Command>();

  private constructor(server: TestServer & {state: string}) {
    this.server = server;
    for (const program of ['etcd', 'kube-apiserver'] as const) {
      const pid = this.#pid(program);
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
      this.#commands.set(program, {argv, cwd: readlinkSync(`/proc/${pid}/cwd`)});
    }
  }

  static async start(): Promise<ControlPlane> {
    return new ControlPlane(await startReal('v1.36', {bare: true}));
  }

  async stop(): Promise<void> {
    // An orderly end takes ten seconds and has no use here.
    await this.kill();
    await this.kill('etcd');
    await this.server.stop();
  }

  /** Stops all processes, like a suspended machine. */
  pause(): void {
    process.kill(this.#pid('kube-apiserver'), 'SIGSTOP');
  }

  resume(): void {
    try {
      process.kill(this.#pid('kube-apiserver'), 'SIGCONT');
    } catch {
      // The process was killed.
    }
  }

  async kill(program: Program = 'kube-apiserver'): Promise<void> {
    await this.#end(program, 'SIGKILL');
  }

  run(program: Program = 'kube-apiserver'): void {
    const {argv, cwd} = this.#commands.get(program) as Command;
    const log = openSync(join(this.server.state, 'log', `${program}.log`), 'a');
    const child = spawn(argv[0] as string, argv.slice(1), {cwd, detached: true, stdio: ['ignore', log, log]});
    child.unref();
    const lines = this.#lines().filter(([, name]) => name !== program);
    // down.sh ends processes from the last line to the first, with etcd last.
    const line: [string, string] = [String(child.pid), program];
    const all = program === 'etcd' ? [line, ...lines] : [...lines, line];
    writeFileSync(join(this.server.state, 'pids'), all.map(one => `${one.join(' ')}\n`).join(''));
  }

  /** Waits until the API server is ready, and returns the time by performance.now(). */
  async ready(): Promise<number> {
    for (let tries = 0; tries < 1200; tries++) {
      try {
        await this.server.client.transport.request({
          path: '/readyz',
          accept: '*/*',
          retries: 0,
          timeout: 2000,
        });
        return performance.now();
      } catch (error) {
        // A ready server answers with a word instead of JSON.
        if (/JSON/.test((error as Error).message)) return performance.now();
      }
      await rest(50);
    }
    throw new Error('the API server was not ready in a minute');
  }

  /** Ends etcd in order and copies its files. Returns a function that restores them. */
  async snapshot(): Promise<() => Promise<void>> {
    const data = readFileSync(join(this.server.state, 'etcd-data'), 'utf8').trim();
    const copy = join(this.server.state, 'snapshot');
    await this.#end('etcd', 'SIGTERM');
    cpSync(data, copy, {recursive: true});
    this.run('etcd');
    await this.ready();
    return async () => {
      await this.kill();
      await this.kill('etcd');
      rmSync(data, {recursive: true});
      cpSync(copy, data, {recursive: true});
      this.run('etcd');
      this.run();
    };
  }

  async #end(program: Program, signal: NodeJS.Signals): Promise<void> {
    const pid = this.#pid(program);
    process.kill(pid, signal);
    for (let tries = 0; tries < 400 && isRunning(pid); tries++) await rest(25);
    if (isRunning(pid)) throw new Error(`${program} (${pid}) did not end`);
  }

  #pid(program: Program): number {
    const line = this.#lines().find(([, name]) => name === program);
    if (line === undefined) throw new Error(`up.sh recorded no ${program}`);
    return Number(line[0]);
  }

  #lines(): string[][] {
    const text = readFileSync(join(this.server.state, 'pids'), 'utf8');
    return text
      .trim()
      .split('\n')
      .map(line => line.split(' '));
  }
}

/** A zombie process counts as gone. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
