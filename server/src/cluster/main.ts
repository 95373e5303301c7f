// The cluster process. Main forks it; it starts on a message and ends with the message channel.
import {enableCompileCache} from 'node:module';
import {fileURLToPath} from 'node:url';
import type {EmbeddedCluster, EmbeddedClusterOptions} from './start.ts';

/** Messages from main: first `start`, later `pace`. */
export type ToCluster =
  | {type: 'start'; options?: EmbeddedClusterOptions; formulas?: boolean}
  | {type: 'pace'; pace: number}
  /** A JSON message to the program that reports over this channel. */
  | {type: 'program'; text: string}
  | {type: 'stop'};

/** Messages to main. */
export type FromCluster =
  | ({type: 'ready'; ready: true} & Pick<
      EmbeddedCluster,
      'url' | 'token' | 'userToken' | 'ca' | 'kubeconfig' | 'kubeconfigFile' | 'port' | 'credentials'
    >)
  | {type: 'failed'; message: string}
  /** A JSON message of the program that reports over this channel. */
  | {type: 'program'; text: string};

let cluster: EmbeddedCluster | undefined;

function tell(message: FromCluster): void {
  // Without a callback, a channel that main just closed would raise an error and print a stack.
  process.send?.(message, () => {});
}

async function start(options: EmbeddedClusterOptions, formulas: boolean): Promise<void> {
  try {
    // Compiles the modules of this import into the cache that main uses, so that the second start is faster.
    enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/krtscope', import.meta.url)));
    const [{startCluster}, {Program}, {processChannel}] = await Promise.all([
      import('./start.ts'),
      import('../runtime/report/program.ts'),
      import('../runtime/report/process-channel.ts'),
    ]);
    const report = new Program({name: 'krtscope-cluster', channel: processChannel()});
    cluster = await startCluster(options, report);
    const {url, token, userToken, ca, kubeconfig, kubeconfigFile, port, credentials} = cluster;
    tell({
      type: 'ready',
      ready: true,
      url,
      token,
      userToken,
      ca,
      kubeconfig,
      kubeconfigFile,
      port,
      credentials,
    });
    // Does not wait: the shop can be listed before formulas can be stored.
    if (formulas) {
      const {serveFormulas} = await import('./formulas/serve.ts');
      await serveFormulas(cluster.wire, new AbortController().signal);
    }
  } catch (error) {
    tell({type: 'failed', message: error instanceof Error ? error.message : String(error)});
    process.exitCode = 1;
    process.disconnect?.();
  }
}

process.on('message', (message: ToCluster) => {
  if (message.type === 'start') void start(message.options ?? {}, message.formulas === true);
  else if (message.type === 'pace') cluster?.setPace(message.pace);
  // runtime/report/process-channel.ts handles the messages to the program.
  else if (message.type === 'stop') process.exit(0);
});

// The channel closes when main ends, even when it is killed. Without main, this process could not be stopped.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

if (!process.send) {
  process.stderr.write(
    'cluster/main.ts is started by krtscope with a message channel; run `npm start -- --demo`\n',
  );
  process.exit(2);
}
