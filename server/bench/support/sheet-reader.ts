// A page with the Sheet of Pods open, and with the graph if it is asked for.
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {WebSocket} from 'ws';
import type {TestInstance} from '../../src/start/testing-instance.ts';
import {LABEL} from './label-event.ts';

export const SHEET_ROWS = 50;

export class SheetReader {
  /** The last frame with an update of the Sheet, and how many there were. */
  frame = '';
  shown = 0;
  /** When each change of a label first was in a frame, in milliseconds since 1970. */
  readonly arrived = new Map<number, number>();
  readonly #socket: WebSocket;
  readonly #opened: Promise<void>;

  private constructor(url: string, token: string, graph: boolean) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
      headers: {authorization: `Bearer ${token}`},
    });
    this.#socket.on('open', () => {
      this.#say({type: 'hello', protocol: PROTOCOL});
      const columns = [
        {
          collection: 'Pods',
          fields: ['status.phase', 'status.podIP', 'spec.nodeName', `metadata.labels.${LABEL}`],
        },
        ...['Workloads', 'WorkloadServices', 'Endpoints'].map(collection => ({collection})),
      ];
      const question = {ask: 'sheet', root: 'Pods', columns, offset: 0, count: SHEET_ROWS};
      this.#say({type: 'subscribe', id: 's', question});
      if (graph) this.#say({type: 'subscribe', id: 'g', question: {ask: 'graph'}});
    });
    this.#opened = new Promise(resolve => {
      this.#socket.on('message', bytes => {
        const text = bytes.toString();
        if (!text.includes('"topic":"sheet"')) return;
        if (text.includes('"snapshot"')) resolve();
        const at = performance.timeOrigin + performance.now();
        for (const [, n] of text.matchAll(/"tick-(\d+)"/g))
          if (!this.arrived.has(Number(n))) this.arrived.set(Number(n), at);
        this.frame = text;
        this.shown++;
      });
    });
  }

  /** Resolves when its rows are there. */
  static async open(instance: TestInstance, {graph = false} = {}): Promise<SheetReader> {
    const {url, token} = await instance.address();
    const reader = new SheetReader(url, token, graph);
    await reader.#opened;
    return reader;
  }

  close(): void {
    this.#socket.terminate();
  }

  #say(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}
