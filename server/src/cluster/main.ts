// The cluster process: forked by main with a message channel, it starts when told how and ends with the channel.
import {enableCompileCache} from 'node:module';
import {fileURLToPath} from 'node:url';
import type {EmbeddedCluster, EmbeddedClusterOptions} from './start.ts';

/** What main sends: first `start`, later `pace`. */
export type ToCluster =
  | {type: 'start'; options?: EmbeddedClusterOptions; formulas?: boolean}
  | {type: 'pace'; pace: number}
  /** A message to the program that reports over this channel, as JSON. */
  | {type: 'program'; text: string}
  | {type: 'stop'};

/** What main hears. */
export type FromCluster =
  | ({type: 'ready'; ready: true} & Pick<
      EmbeddedCluster,
      'url' | 'token' | 'userToken' | 'ca' | 'kubeconfig' | 'kubeconfigFile' | 'port'
    >)
  | {type: 'failed'; message: string}
  /** A message of the program that reports over this channel, as JSON. */
  | {type: 'program'; text: string};

let cluster: EmbeddedCluster | undefined;

function tell(message: FromCluster): void {
  process.send?.(message);
}

async function start(options: EmbeddedClusterOptions, formulas: boolean): Promise<void> {
  try {
    // Imported here, so that the second start finds its modules compiled; beside those of main.
    enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/krtscope', import.meta.url)));
    const [{startCluster}, {Program}, {processChannel}] = await Promise.all([
      import('./start.ts'),
      import('../runtime/report/program.ts'),
      import('../runtime/report/process-channel.ts'),
    ]);
    const report = new Program({name: 'krtscope-cluster', channel: processChannel()});
    cluster = await startCluster(options, report);
    const {url, token, userToken, ca, kubeconfig, kubeconfigFile, port} = cluster;
    tell({type: 'ready', ready: true, url, token, userToken, ca, kubeconfig, kubeconfigFile, port});
    // Nobody waits for it: the shop can be listed before formulas can be kept in it.
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
  // What is for the program is heard by its own channel, runtime/report/process-channel.ts.
  else if (message.type === 'stop') process.exit(0);
});

// The channel closes when main ends, also when it is killed: without main nobody can reach or stop this process.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

if (!process.send) {
  process.stderr.write(
    'cluster/main.ts is started by krtscope with a message channel; run `npm start -- --demo`\n',
  );
  process.exit(2);
}
