// Real kubectl binaries from the shared folder. Each call has its own home and cache.

import {execFile, spawn} from 'node:child_process';
import {createWriteStream, existsSync, mkdtempSync, rmSync} from 'node:fs';
import {chmod} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {realServers} from '../servers.ts';

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

/** The packed binary of a version; undefined if it is missing. */
export function packedKubectl(version: '1.36' | '1.32'): string | undefined {
  if (!realServers) return undefined;
  const file = join(realServers, version === '1.36' ? 'v1.36/kubectl.xz' : 'kubectl.xz');
  return existsSync(file) ? file : undefined;
}

export class Kubectl {
  readonly #folder: string;
  readonly #kubeconfig: string;

  private constructor(folder: string, kubeconfig: string) {
    this.#folder = folder;
    this.#kubeconfig = kubeconfig;
  }

  static async unpack(packed: string, kubeconfig: string): Promise<Kubectl> {
    const folder = mkdtempSync(join(tmpdir(), 'krtscope-kubectl-'));
    const binary = join(folder, 'kubectl');
    const xz = spawn('xz', ['-dc', packed], {stdio: ['ignore', 'pipe', 'inherit']});
    await pipeline(xz.stdout, createWriteStream(binary));
    await chmod(binary, 0o755);
    return new Kubectl(folder, kubeconfig);
  }

  remove(): void {
    rmSync(this.#folder, {recursive: true, force: true});
  }

  /** Runs a command. A failure is a result, too. */
  run(args: readonly string[], input?: string | object): Promise<Output> {
    return new Promise(resolve => {
      const child = execFile(
        join(this.#folder, 'kubectl'),
        this.#args(args),
        {env: this.#env(), timeout: 170_000, maxBuffer: 32 * 1024 * 1024},
        (error, stdout, stderr) => resolve({code: error ? Number(error.code ?? 1) : 0, stdout, stderr}),
      );
      child.stdin?.end(typeof input === 'object' ? JSON.stringify(input) : input);
    });
  }

  /** Runs a command that must succeed, and returns its output. */
  async ok(args: readonly string[], input?: string | object): Promise<string> {
    const {code, stdout, stderr} = await this.run(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
    return stdout;
  }

  /** Runs a command until `stop`. `lines` grows meanwhile. */
  follow(args: readonly string[]): {lines: string[]; stop(): void} {
    const child = spawn(join(this.#folder, 'kubectl'), this.#args(args), {env: this.#env()});
    const lines: string[] = [];
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    return {lines, stop: () => void child.kill()};
  }

  #args(args: readonly string[]): string[] {
    return ['--kubeconfig', this.#kubeconfig, '--cache-dir', join(this.#folder, 'cache'), ...args];
  }

  #env(): NodeJS.ProcessEnv {
    return {PATH: process.env.PATH, HOME: this.#folder};
  }
}
