// Limits the bytes per second of all connections that share it.

import type {ServerResponse} from 'node:http';

const TICK = 50;

interface WaitingTransfer {
  chunks: Buffer[];
  ended: boolean;
}

export class BandwidthLimit {
  sent = 0;
  readonly #share: number;
  readonly #waiting = new Map<ServerResponse, WaitingTransfer>();
  readonly #timer: NodeJS.Timeout;

  constructor(bytesPerSecond: number) {
    this.#share = (bytesPerSecond * TICK) / 1000;
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  write(response: ServerResponse, chunk: Buffer): void {
    this.#of(response).chunks.push(chunk);
  }

  end(response: ServerResponse): void {
    this.#of(response).ended = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #of(response: ServerResponse): WaitingTransfer {
    let waiting = this.#waiting.get(response);
    if (waiting === undefined) {
      waiting = {chunks: [], ended: false};
      this.#waiting.set(response, waiting);
      response.on('close', () => this.#waiting.delete(response));
    }
    return waiting;
  }

  #tick(): void {
    const all = [...this.#waiting].filter(([, {chunks, ended}]) => chunks.length > 0 || ended);
    let left = this.#share;
    for (const [at, [response, waiting]] of all.entries()) {
      let share = left / (all.length - at);
      while (share > 0 && waiting.chunks.length > 0) {
        const [first] = waiting.chunks as [Buffer];
        const part = first.subarray(0, Math.max(1, Math.floor(share)));
        if (part.length === first.length) waiting.chunks.shift();
        else waiting.chunks[0] = first.subarray(part.length);
        response.write(part);
        this.sent += part.length;
        share -= part.length;
        left -= part.length;
      }
      if (waiting.chunks.length > 0 || !waiting.ended) continue;
      this.#waiting.delete(response);
      response.end();
    }
  }
}
