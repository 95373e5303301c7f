// Follows the log of a Pod through the API server. After a break it goes on where it stopped, by the kubelet's times.
import type {LogReceiver, LogSource} from '../../attach/log/log-source.ts';
import type {Transport} from '../../kube/transport/transport.ts';

const RETRY_MS = 2000;
/** A quiet Pod writes no line for a long time. */
const HEADERS_MS = 3_600_000;
/** The length of a time with nanoseconds, without the zone. */
const TIME_DIGITS = 29;

export interface PodLogTarget {
  namespace: string;
  pod: string;
  container: string | undefined;
}

export class PodLog implements LogSource {
  readonly #transport: Transport;
  readonly #target: () => Promise<PodLogTarget>;
  readonly #ended = new AbortController();
  readonly text: string;
  /** The kubelet's time of the last line. */
  #last = '';
  #running: Promise<void> = Promise.resolve();

  /** `target` is asked again after a break, because the Pod may have been replaced. */
  constructor(transport: Transport, text: string, target: () => Promise<PodLogTarget>) {
    this.#transport = transport;
    this.text = text;
    this.#target = target;
  }

  start(receiver: LogReceiver): void {
    this.#running = this.#follow(receiver);
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #follow(receiver: LogReceiver): Promise<void> {
    const {signal} = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#readOnce(receiver);
        receiver.problem(undefined);
      } catch (error) {
        if (!signal.aborted) receiver.problem((error as Error).message);
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, signal.aborted ? 0 : RETRY_MS);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async #readOnce(receiver: LogReceiver): Promise<void> {
    const {signal} = this.#ended;
    const {namespace, pod, container} = await this.#target();
    const since = this.#last === '' ? {tailLines: 0} : {sinceTime: `${this.#last.slice(0, 19)}Z`};
    const {body} = await this.#transport.stream({
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`,
      query: {follow: true, timestamps: true, container, ...since},
      accept: '*/*',
      // The headers come with the first line.
      timeout: HEADERS_MS,
      signal,
    });
    receiver.problem(undefined);
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of body) {
      const bytes = rest.length === 0 ? (piece as Buffer) : Buffer.concat([rest, piece as Buffer]);
      const end = bytes.lastIndexOf(10) + 1;
      rest = bytes.subarray(end);
      if (end > 0) receiver.data(this.#unread(bytes.subarray(0, end)));
    }
    receiver.restart();
  }

  /** Leaves out lines that came before the break. */
  #unread(lines: Buffer): Buffer {
    const before = this.#last;
    const start = lines.lastIndexOf(10, -2) + 1;
    const newest = timeOf(lines, start);
    if (newest > before) this.#last = newest;
    if (before === '' || timeOf(lines, 0) > before) return lines;
    let at = 0;
    while (at < lines.length && timeOf(lines, at) <= before) at = lines.indexOf(10, at) + 1;
    return lines.subarray(at);
  }
}

/** The time of a line with all nine digits, so that texts compare like times. */
function timeOf(lines: Buffer, at: number): string {
  const text = lines.toString('latin1', at, at + TIME_DIGITS + 6);
  const [, seconds = '', digits = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  return seconds === '' ? '' : `${seconds}.${digits.padEnd(9, '0')}`;
}
