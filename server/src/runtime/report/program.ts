// A program that reports what it does to krtscope, as long as somebody there listens. Parts of it (a manager,
// an engine) are only asked to tell while that is so.

import {randomUUID} from 'node:crypto';
import {basename, extname} from 'node:path';
import {PROGRAM_PROTOCOL, type ToProgram} from '@krtscope/shared/programs/program.ts';
import {
  type ReportChannel,
  ReportConnection,
  type ReportConnectionEvents,
  type ReportConnectionOptions,
} from './report-connection.ts';

/** Sends one message, as JSON text. What cannot be sent in time is dropped, and a gap is told. */
export type Send = (message: string) => void;

/** Something in the program that has something to tell. */
export interface ProgramPart {
  /** Somebody listens from now on. `lose` says that something cannot be told: a gap is marked, and the state told again. */
  begin(send: Send, lose: () => void): void;
  /** Everything as it is now, after `begin`, after a gap and when asked, in order; may take its time between two. */
  state(): Iterable<string>;
  /** Nobody listens any more: stop recording. */
  end(): void;
}

export interface ProgramOptions extends ReportConnectionOptions {
  /** Under which name it is found: letters, digits, dots, dashes and underscores. Otherwise that of its script. */
  name?: string | undefined;
  version?: string | undefined;
  /** Another way than a socket to the krtscope of the environment. */
  channel?: ((events: ReportConnectionEvents) => ReportChannel) | undefined;
}

/** How much may wait before the next piece of a state is made: a large one must not fill the memory. */
const calm = 1_000_000;
const lookEvery = 50;

export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  readonly #instance = randomUUID();
  readonly #started = Date.now();
  readonly #parts: ProgramPart[] = [];
  readonly #connection: ReportChannel;
  /** What of the state is still to be sent. */
  #state: Iterator<string> | undefined;
  #gap: {from: number; dropped: number} | undefined;
  #timer: NodeJS.Timeout | undefined;
  #session: string | undefined;

  constructor(options: ProgramOptions = {}) {
    this.#options = options;
    this.name = nameOf(options.name);
    const events: ReportConnectionEvents = {
      onOpen: () => this.#hello(),
      onMessage: message => this.#hear(message),
      onClose: () => this.#silence(),
    };
    this.#connection = options.channel?.(events) ?? new ReportConnection(events, options);
  }

  /** The session it is heard as, while it is. */
  get session(): string | undefined {
    return this.#session;
  }

  add(part: ProgramPart): void {
    this.#parts.push(part);
    if (this.#session === undefined) return;
    part.begin(this.#send, this.#lose);
    this.#restate();
  }

  /** Tells no more. */
  end(): void {
    this.#silence();
    this.#connection.end();
  }

  #hello(): void {
    const {version} = this.#options;
    this.#connection.send(
      JSON.stringify({
        type: 'hello',
        protocol: PROGRAM_PROTOCOL,
        name: this.name,
        instance: this.#instance,
        version,
        pid: process.pid,
        started: this.#started,
      }),
    );
  }

  #hear(message: ToProgram): void {
    switch (message.type) {
      case 'welcome':
        this.#session = message.session;
        this.#connection.welcomed();
        for (const part of this.#parts) part.begin(this.#send, this.#lose);
        this.#restate();
        return;
      case 'resync':
        if (this.#session !== undefined) this.#restate();
        return;
      case 'refused':
        this.#connection.reject(message.retry === true);
        return;
    }
  }

  #silence(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#state = undefined;
    this.#gap = undefined;
    if (this.#session === undefined) return;
    this.#session = undefined;
    for (const part of this.#parts) part.end();
  }

  readonly #send: Send = message => {
    // After a gap only a whole state is true again.
    if (this.#gap) this.#gap.dropped++;
    else if (!this.#connection.send(message)) this.#drop();
  };

  readonly #lose = (): void => {
    if (this.#gap) this.#gap.dropped++;
    else if (this.#session !== undefined) this.#drop();
  };

  #drop(): void {
    this.#gap = {from: Date.now(), dropped: 1};
    this.#state = undefined;
    this.#look();
  }

  #restate(): void {
    this.#state = this.#everything();
    this.#pump();
  }

  *#everything(): Generator<string> {
    for (const part of this.#parts) yield* part.state();
  }

  /** Sends of the state as much as goes now, and the rest when that has left. */
  #pump(): void {
    while (this.#state && this.#connection.unsent < calm) {
      const {value, done} = this.#state.next();
      if (done) this.#state = undefined;
      else if (!this.#connection.send(value)) this.#drop();
    }
    if (this.#state) this.#look();
  }

  /** Looks again soon whether there is room. */
  #look(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#session === undefined) return;
      if (this.#gap && this.#connection.unsent < calm) this.#mend(this.#gap);
      this.#pump();
      if (this.#gap) this.#look();
    }, lookEvery);
    this.#timer.unref();
  }

  #mend(gap: {from: number; dropped: number}): void {
    const text = 'more happened than could be sent';
    const {from, dropped} = gap;
    this.#gap = undefined;
    const told = JSON.stringify({type: 'gap', from, to: Date.now(), text, dropped});
    if (!this.#connection.send(told)) {
      this.#gap = gap;
      return;
    }
    this.#state = this.#everything();
  }
}

function nameOf(given: string | undefined): string {
  const script = basename(process.argv[1] ?? 'program');
  const name = (given ?? script.slice(0, script.length - extname(script).length))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 63);
  return name || 'program';
}
