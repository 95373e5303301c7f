// Reports the parts of a program (a manager, an engine) to krtscope. Parts record only while krtscope is connected.

import {randomUUID} from 'node:crypto';
import {basename, extname} from 'node:path';
import {PROGRAM_PROTOCOL, type ToProgram} from '@krtscope/shared/programs/program.ts';
import {
  type ReportChannel,
  ReportConnection,
  type ReportConnectionEvents,
  type ReportConnectionOptions,
} from './report-connection.ts';

/** Sends one message as JSON text. Messages that cannot be sent in time are dropped and reported as a gap. */
export type Send = (message: string) => void;

/** A part of the program that reports. */
export interface ProgramPart {
  /** krtscope is connected. Call `lose` after losing data: it reports a gap and sends the state again. */
  begin(send: Send, lose: () => void, redactionKey?: string): void;
  /** The complete current state in order, sent after `begin`, after a gap and on request. */
  state(): Iterable<string>;
  /** krtscope is disconnected, so stop recording. */
  end(): void;
}

export interface ProgramOptions extends ReportConnectionOptions {
  /** The program's name: letters, digits, dots, dashes and underscores. Default: the name of the script. */
  name?: string | undefined;
  version?: string | undefined;
  /** A channel to use instead of a socket. */
  channel?: ((events: ReportConnectionEvents) => ReportChannel) | undefined;
}

/** Unsent bytes at which the state waits, so that a large state does not fill memory. */
const calm = 1_000_000;
const lookEvery = 50;

export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  readonly #instance = randomUUID();
  readonly #started = Date.now();
  readonly #parts: ProgramPart[] = [];
  readonly #connection: ReportChannel;
  /** The rest of the state to send. */
  #state: Iterator<string> | undefined;
  #gap: {from: number; dropped: number} | undefined;
  #timer: NodeJS.Timeout | undefined;
  #session: string | undefined;
  #redactionKey: string | undefined;

  constructor(options: ProgramOptions = {}) {
    this.#options = options;
    this.name = nameOf(options.name);
    const events: ReportConnectionEvents = {
      onOpen: () => this.#hello(),
      onMessage: message => this.#receive(message),
      onClose: () => this.#silence(),
    };
    this.#connection = options.channel?.(events) ?? new ReportConnection(events, options);
  }

  /** The session in krtscope while connected. */
  get session(): string | undefined {
    return this.#session;
  }

  add(part: ProgramPart): void {
    this.#parts.push(part);
    if (this.#session === undefined) return;
    part.begin(this.#send, this.#lose, this.#redactionKey);
    this.#restate();
  }

  /** Ends the report. */
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

  #receive(message: ToProgram): void {
    switch (message.type) {
      case 'welcome':
        this.#session = message.session;
        this.#redactionKey = message.redactionKey;
        this.#connection.welcomed();
        for (const part of this.#parts) part.begin(this.#send, this.#lose, this.#redactionKey);
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
    // After a gap, only a complete state is correct.
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

  /** Sends as much of the state as possible now, and the rest later. */
  #pump(): void {
    while (this.#state && this.#connection.unsent < calm) {
      const {value, done} = this.#state.next();
      if (done) this.#state = undefined;
      else if (!this.#connection.send(value)) this.#drop();
    }
    if (this.#state) this.#look();
  }

  /** Checks again soon whether there is room. */
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
    const message = JSON.stringify({type: 'gap', from, to: Date.now(), text, dropped});
    if (!this.#connection.send(message)) {
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
