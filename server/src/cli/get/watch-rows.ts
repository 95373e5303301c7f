// Follows the rows of a collection over the stream of the instance.
import type {StreamMessage, StreamRequest} from '@krtscope/shared/stream.ts';
import {foldUpdate} from '@krtscope/shared/subscription-update.ts';
import {WebSocket} from 'ws';
import {exitWithError, type InstanceTarget} from '../instance-client.ts';
import type {RowQuery} from './get-rows.ts';
import type {CollectionRow} from './row-columns.ts';

interface RowWatch {
  query: RowQuery;
  /** Only these rows; all if empty. */
  keys: readonly string[];
  first: (rows: readonly CollectionRow[]) => Promise<void>;
  changed: (event: 'ADDED' | 'MODIFIED' | 'DELETED', row: CollectionRow) => Promise<void>;
}

/** The server's limit for one window. */
const MOST_ROWS = 600;

/** Runs until Ctrl+C, or until the instance ends. */
export async function watchRows(target: InstanceTarget, collection: string, watch: RowWatch): Promise<void> {
  const url = new URL('/api/v1/stream', target.url.replace(/^http/, 'ws'));
  if (target.session !== undefined) url.searchParams.set('session', target.session);
  const socket = new WebSocket(url, {headers: {authorization: `Bearer ${target.token}`}});
  const send = (message: StreamRequest) => socket.send(JSON.stringify(message));
  const {q, sort} = watch.query;
  socket.on('open', () => {
    send({type: 'hello', protocol: 1});
    send({
      type: 'subscribe',
      id: 'rows',
      question: {ask: 'window', collection, q, sort, offset: 0, count: MOST_ROWS},
    });
  });
  const rows = new WatchedRows(watch);
  let state: Parameters<typeof foldUpdate>[0];
  let printed = Promise.resolve();
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as StreamMessage;
    if (message.type === 'failed') exitWithError(`${message.failure.message}; ${message.failure.hint}`);
    if (message.type !== 'frame') return;
    for (const update of message.updates) state = foldUpdate(state, update);
    if (state?.topic !== 'window') return;
    const {rows: now, total} = state.snapshot;
    // Lines of one frame must not mix with those of the next.
    printed = printed.then(() => rows.compare(now as CollectionRow[], total));
  });
  await new Promise<void>((resolve, reject) => {
    process.once('SIGINT', () => process.exit(0));
    socket.once('error', () => reject(new Error('unreachable')));
    socket.once('close', () => resolve());
  }).catch(() => exitWithError(`${target.url} does not answer; is krtscope running there?`));
  await printed;
  exitWithError('the instance ended the watch; is krtscope still running?');
}

class WatchedRows {
  readonly #watch: RowWatch;
  #last: Map<string, CollectionRow> | undefined;

  constructor(watch: RowWatch) {
    this.#watch = watch;
  }

  async compare(rows: readonly CollectionRow[], total: number): Promise<void> {
    const {keys, first, changed} = this.#watch;
    const isWatched = ({key}: CollectionRow) =>
      keys.length === 0 || keys.some(one => key === one || key.endsWith(`/${one}`));
    const now = new Map(rows.filter(isWatched).map(row => [row.key, row]));
    const last = this.#last;
    this.#last = now;
    if (last === undefined) {
      if (total > rows.length)
        process.stderr.write(
          `watching the first ${rows.length} of ${total} rows; narrow it with -n, -l or -q\n`,
        );
      return first([...now.values()]);
    }
    for (const [key, row] of now) {
      const before = last.get(key);
      if (before === undefined) await changed('ADDED', row);
      else if (before !== row && JSON.stringify(before.value) !== JSON.stringify(row.value))
        await changed('MODIFIED', row);
    }
    for (const [key, row] of last) if (!now.has(key)) await changed('DELETED', row);
  }
}
