// Starts the process of the demo cluster. It ends when its channel closes.
import {fork} from 'node:child_process';
import {extname} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {FromCluster, ToCluster} from '../cluster/main.ts';
import {sendTo} from '../engine/supervisor/send-to.ts';

// JavaScript in the package, TypeScript in the repository.
const clusterEntry = fileURLToPath(new URL(`../cluster/main${extname(import.meta.url)}`, import.meta.url));

export interface DemoOptions {
  seed: number;
  pace: number;
  pods?: number;
  dataDir: string;
}

export interface Demo {
  url: string;
  /** A kubeconfig file for kubectl. */
  kubeconfig: string;
  /** Passes every message of the cluster's program, including earlier ones. */
  onProgram(f: (text: string) => void): void;
  tellProgram(text: string): void;
  /** Called when the process ends without being stopped. */
  onExit(f: (reason: string) => void): void;
  stop(): Promise<void>;
}

export async function startDemo({seed, pace, pods, dataDir}: DemoOptions): Promise<Demo> {
  const child = fork(clusterEntry, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const say = (message: ToCluster) => sendTo(child, message);
  // Before its welcome, a program sends only a hello.
  const early: string[] = [];
  let receive = (text: string): void => void early.push(text);
  const ready = new Promise<Extract<FromCluster, {type: 'ready'}>>((resolve, reject) => {
    child.on('message', (message: FromCluster) => {
      if (message.type === 'ready') resolve(message);
      else if (message.type === 'program') receive(message.text);
      // Under node --watch (npm run dev), Node's own messages use the same channel.
      else if (message.type === 'failed')
        reject(new Error(`the demo cluster did not start: ${message.message}`));
    });
    child.on('error', reject);
    child.once('exit', code =>
      reject(new Error(`the demo cluster ended during its start with code ${code}`)),
    );
  });
  const options = {seed, pace, dataDir, pods};
  say({type: 'start', options, formulas: true});
  const {url, kubeconfigFile} = await ready;
  let stopped = false;
  return {
    url,
    kubeconfig: kubeconfigFile ?? '',
    onProgram: f => {
      receive = f;
      for (const text of early.splice(0)) f(text);
    },
    tellProgram: text => say({type: 'program', text}),
    onExit: f => {
      child.once('exit', (code, signal) => {
        if (!stopped) f(`the demo cluster's process ended (${signal ?? `code ${code}`})`);
      });
    },
    stop: async () => {
      stopped = true;
      say({type: 'stop'});
      // The process may hang in a long list, and the end may take at most two seconds.
      const timer = setTimeout(() => child.kill('SIGKILL'), 700);
      await exited;
      clearTimeout(timer);
    },
  };
}
