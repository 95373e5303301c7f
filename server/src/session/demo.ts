// The demo's cluster process: forked, told how, and gone when its channel closes.
import {fork} from 'node:child_process';
import {extname} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {FromCluster, ToCluster} from '../cluster/main.ts';
import {sendTo} from '../engine/supervisor/send-to.ts';

// Compiled in the package, TypeScript in the repository.
const clusterEntry = fileURLToPath(new URL(`../cluster/main${extname(import.meta.url)}`, import.meta.url));

export interface DemoOptions {
  seed: number;
  pace: number;
  pods?: number;
  dataDir: string;
}

export interface Demo {
  url: string;
  /** The file that kubectl can use. */
  kubeconfig: string;
  /** Every message of the program that its process reports as, also those from before this call. */
  onProgram(f: (text: string) => void): void;
  tellProgram(text: string): void;
  /** Called when it ended although nobody stopped it. */
  onExit(f: (reason: string) => void): void;
  stop(): Promise<void>;
}

export async function startDemo({seed, pace, pods, dataDir}: DemoOptions): Promise<Demo> {
  const child = fork(clusterEntry, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const say = (message: ToCluster) => sendTo(child, message);
  // Before it is welcomed a program says hello and nothing else.
  const early: string[] = [];
  let hear = (text: string): void => void early.push(text);
  const ready = new Promise<Extract<FromCluster, {type: 'ready'}>>((resolve, reject) => {
    child.on('message', (message: FromCluster) => {
      if (message.type === 'ready') resolve(message);
      else if (message.type === 'program') hear(message.text);
      // Under node --watch (npm run dev) Node's own messages come over the same channel.
      else if (message.type === 'failed')
        reject(new Error(`the demo cluster did not start: ${message.message}`));
    });
    child.on('error', reject);
    child.once('exit', code => reject(new Error(`the demo cluster ended at its start with code ${code}`)));
  });
  const options = {seed, pace, dataDir, ...(pods === undefined ? {} : {pods})};
  say({type: 'start', options, formulas: true});
  const {url, kubeconfigFile} = await ready;
  let stopped = false;
  return {
    url,
    kubeconfig: kubeconfigFile ?? '',
    onProgram: f => {
      hear = f;
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
      // It may hang in a long list; two seconds is all that ending may take.
      const timer = setTimeout(() => child.kill('SIGKILL'), 700);
      await gone;
      clearTimeout(timer);
    },
  };
}
