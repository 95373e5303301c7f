// One life of the engine process: fork, messages, watchdog, and the reason it ended. The next life is the supervisor's.
import type {ChildProcess} from 'node:child_process';
import type {FromHost, ToHost} from '../link/host-messages.ts';
import {cpuTimeOf} from './cpu-time.ts';
import {forkHost} from './fork.ts';
import {sendTo} from './send-to.ts';
import {Takeover} from './takeover.ts';
import {Watchdog} from './watchdog.ts';

export interface EngineProcessEnd {
  readonly reason: string;
  /** It was ended because it took too long. */
  readonly slow: boolean;
  /** It had waited, was needed, and never said a word: nothing that it was told is at fault. */
  readonly mute: boolean;
}

export interface EngineProcessOptions {
  memoryMb: number;
  heldMb?: number;
  silenceMs: number;
  onMessage(message: FromHost): void;
  /** Called once. */
  onEnd(end: EngineProcessEnd): void;
}

/** How much of its last words to keep. */
const MAX_STDERR = 4096;
/** The number of a ping that is none of the watchdog's. */
const WAKE_PING = -1;

export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #watchdog: Watchdog;
  readonly #gone: Promise<void>;
  #words = '';
  #reason: string | undefined;
  #slow = false;
  #mute = false;
  #waking: Takeover | undefined;
  #stopping = false;

  constructor(options: EngineProcessOptions) {
    const {memoryMb, heldMb} = options;
    const child = forkHost({memoryMb, ...(heldMb === undefined ? {} : {heldMb})});
    this.#child = child;
    this.#watchdog = new Watchdog({
      pid: child.pid ?? 0,
      limitMb: Math.round(options.memoryMb * 1.25 + 256),
      silenceMs: options.silenceMs,
      ping: n => this.send({type: 'ping', n}),
      onTrouble: (reason, slow) => {
        this.#reason = reason;
        this.#slow = slow;
        child.kill('SIGKILL');
      },
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#words = (this.#words + chunk.toString('utf8')).slice(-MAX_STDERR);
    });
    child.on('message', message => {
      const news = message as FromHost;
      // A pong that was asked for before may have come from a process that was well then.
      if (news.type !== 'pong' || news.n === WAKE_PING) this.#waking?.stop();
      this.#watchdog.heard(news.type === 'pong' ? news.rss : undefined);
      options.onMessage(news);
    });
    this.#gone = new Promise(resolve => {
      const over = (reason: string) => {
        resolve();
        if (this.#stopping) return;
        options.onEnd({reason: this.#reason ?? reason, slow: this.#slow, mute: this.#mute});
      };
      child.on('error', ({message}) => {
        this.#reason ??= `it could not be started or reached: ${message}`;
        // One that never was has no exit either.
        if (child.pid !== undefined) return;
        this.#watchdog.stop();
        this.#waking?.stop();
        over(message);
      });
      child.on('exit', (code, signal) => {
        this.#watchdog.stop();
        this.#waking?.stop();
        // Its last words may still be in the pipe; `close` never comes for a child that we disconnected.
        const told = () => over(exitReasonOf(code, signal, this.#words));
        // And in the channel: which formula ran is among them.
        const heard = () => {
          if (child.connected && !this.#stopping) child.once('disconnect', told);
          else told();
        };
        if (child.stderr === null || child.stderr.closed) heard();
        else child.stderr.once('close', heard);
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(message: ToHost): void {
    sendTo(this.#child, message);
  }

  /**
   * One message a turn: what is written goes out while the next is being made, and pages are answered in between.
   * Ends before its time when nobody wants the rest.
   */
  sendInTurns(messages: Iterable<ToHost>, wanted: () => boolean): void {
    const left = messages[Symbol.iterator]();
    const next = () => {
      const {value, done} = left.next();
      if (done) return;
      this.send(value);
      setImmediate(() => {
        if (wanted()) next();
      });
    };
    next();
  }

  /** It has waited and is needed now: if it does not answer, it is ended soon. */
  wake(): void {
    this.#waking = new Takeover({
      cpuTime: () => cpuTimeOf(this.pid),
      onMute: reason => {
        this.#mute = true;
        this.kill(reason);
      },
    });
    this.send({type: 'ping', n: WAKE_PING});
  }

  /** Ends it at once, for this reason. */
  kill(reason: string): void {
    this.#reason = reason;
    this.#child.kill('SIGKILL');
  }

  /** Resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#watchdog.stop();
    this.#waking?.stop();
    if (this.#child.connected) this.#child.disconnect();
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), 500);
    await this.#gone;
    clearTimeout(patience);
  }
}

function exitReasonOf(code: number | null, signal: NodeJS.Signals | null, words: string): string {
  if (/heap limit|out of memory/i.test(words)) return 'it ran out of memory';
  const said = words
    .split('\n')
    .map(line => line.trim())
    .find(line => /error/i.test(line));
  const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  return said === undefined ? how : `${how} (${said.slice(0, 300)})`;
}
