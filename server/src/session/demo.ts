// Runs the process of the demo cluster. It ends when its channel closes, and is started again when it dies.
import {type ChildProcess, fork} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {extname} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {FromCluster, ToCluster} from '../cluster/main.ts';
import type {EmbeddedClusterOptions} from '../cluster/start.ts';
import {sendTo} from '../engine/supervisor/send-to.ts';

// JavaScript in the package, TypeScript in the repository.
const clusterEntry = fileURLToPath(new URL(`../cluster/main${extname(import.meta.url)}`, import.meta.url));

const FIRST_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
/** A process that lives longer than this resets the delay of the next restart. */
const HEALTHY_MS = 60_000;

export interface DemoOptions {
  seed: number;
  pace: number;
  pods?: number;
  dataDir: string;
}

type ReadyMessage = Extract<FromCluster, {type: 'ready'}>;

export class Demo {
  /** The identity of this demo. Its uids repeat with its seed, so they cannot tell two demos apart. */
  readonly startId = `demo-${randomUUID()}`;
  /** The seed, and after the first start the port and the credentials, so that a restart is the same cluster. */
  #options: EmbeddedClusterOptions;
  #child: ChildProcess | undefined;
  #kubeconfig = '';
  #stopped = false;
  #restartMs = FIRST_RESTART_MS;
  #isStarting = false;
  #restart: NodeJS.Timeout | undefined;
  // Before its welcome, a program sends only a hello.
  readonly #early: string[] = [];
  #receive = (text: string): void => void this.#early.push(text);
  readonly #exitListeners: ((reason: string) => void)[] = [];

  private constructor(options: DemoOptions) {
    this.#options = options;
  }

  static async start(options: DemoOptions): Promise<Demo> {
    const demo = new Demo(options);
    await demo.#start();
    return demo;
  }

  /** A kubeconfig file for kubectl. */
  get kubeconfig(): string {
    return this.#kubeconfig;
  }

  /** Passes every message of the cluster's program, including earlier ones. */
  onProgram(f: (text: string) => void): void {
    this.#receive = f;
    for (const text of this.#early.splice(0)) f(text);
  }

  tellProgram(text: string): void {
    this.#say({type: 'program', text});
  }

  /** Called when the process ends without being stopped. It is started again. */
  onExit(f: (reason: string) => void): void {
    this.#exitListeners.push(f);
  }

  /** Starts the process again at once. A process that hangs is killed first. */
  restart(): void {
    if (this.#stopped || this.#isStarting) return;
    const child = this.#child;
    const isGone = child === undefined || child.exitCode !== null || child.signalCode !== null;
    this.#restartMs = 0;
    // The exit of the old process starts the next one.
    if (isGone) this.#restartLater();
    else child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
    this.#say({type: 'stop'});
    // The process may hang in a long list, and the end may take at most two seconds.
    const timer = setTimeout(() => child.kill('SIGKILL'), 700);
    await exited;
    clearTimeout(timer);
  }

  #say(message: ToCluster): void {
    if (this.#child?.connected) sendTo(this.#child, message);
  }

  async #start(): Promise<void> {
    this.#isStarting = true;
    try {
      await this.#startOnce();
    } finally {
      this.#isStarting = false;
    }
  }

  async #startOnce(): Promise<void> {
    const child = fork(clusterEntry, [], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
    this.#child = child;
    const startedAt = performance.now();
    const ready = new Promise<ReadyMessage>((resolve, reject) => {
      child.on('message', (message: FromCluster) => {
        if (message.type === 'ready') resolve(message);
        else if (message.type === 'program') this.#receive(message.text);
        // Under node --watch (npm run dev), Node's own messages use the same channel.
        else if (message.type === 'failed')
          reject(new Error(`the demo cluster did not start: ${message.message}`));
      });
      child.on('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`the demo cluster ended during its start (${signal ?? `code ${code}`})`)),
      );
    });
    this.#say({type: 'start', options: this.#options, formulas: true});
    const {kubeconfigFile, port, credentials} = await ready;
    this.#kubeconfig = kubeconfigFile ?? '';
    this.#options = {...this.#options, port, credentials};
    child.once('exit', (code, signal) => {
      if (this.#stopped) return;
      if (performance.now() - startedAt > HEALTHY_MS) this.#restartMs = FIRST_RESTART_MS;
      const reason = `the demo cluster's process ended (${signal ?? `code ${code}`}) and is started again`;
      for (const f of this.#exitListeners) f(reason);
      this.#restartLater();
    });
  }

  #restartLater(): void {
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      this.#start().catch(error => {
        // The old port may still be in use. `stop` also ends a start.
        if (this.#stopped) return;
        this.#child?.kill('SIGKILL');
        for (const f of this.#exitListeners) f((error as Error).message);
        this.#restartLater();
      });
    }, this.#restartMs);
    this.#restart.unref();
    this.#restartMs = Math.min(Math.max(2 * this.#restartMs, FIRST_RESTART_MS), MAX_RESTART_MS);
  }
}
