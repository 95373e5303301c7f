// A controller in its own process, which answers commands on stdin with one JSON line each.
import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';

export class ContenderProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;
  readonly #exited: Promise<unknown>;

  constructor([command, ...args]: readonly [string, ...string[]]) {
    this.#child = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit']});
    this.#answers = createInterface({input: this.#child.stdout})[Symbol.asyncIterator]();
    this.#exited = new Promise(resolve => this.#child.once('exit', resolve));
  }

  async ask<T>(command: string): Promise<T> {
    this.#child.stdin.write(`${command}\n`);
    const {value, done} = await this.#answers.next();
    if (done) throw new Error(`the process ended before it answered "${command}"`);
    return JSON.parse(value) as T;
  }

  /** Resident memory in MB, as the kernel counts it. */
  get residentMB(): number {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  }

  /** User and system time so far, in milliseconds. The kernel counts in hundredths of a second. */
  get cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#exited;
  }
}
