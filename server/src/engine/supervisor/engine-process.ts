// One engine process from fork to exit: messages, watchdog, and the reason for its end. The supervisor starts the
// next one.
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
  /** A spare that was needed and never answered. Its messages are not to blame. */
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

/** The number of characters of stderr to keep. */
const MAX_STDERR = 4096;
/** A ping number that the watchdog does not use. */
const WAKE_PING = -1;

export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #watchdog: Watchdog;
  readonly #exited: Promise<void>;
  #stderr = '';
  #reason: string | undefined;
  #slow = false;
  #mute = false;
  #takeover: Takeover | undefined;
  #stopping = false;

  constructor(options: EngineProcessOptions) {
    const {memoryMb, heldMb} = options;
    const child = forkHost({memoryMb, heldMb});
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
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-MAX_STDERR);
    });
    child.on('message', message => {
      const fromHost = message as FromHost;
      // A pong to an earlier ping may be from before the process hung.
      if (fromHost.type !== 'pong' || fromHost.n === WAKE_PING) this.#takeover?.stop();
      this.#watchdog.noteMessage(fromHost.type === 'pong' ? fromHost.rss : undefined);
      options.onMessage(fromHost);
    });
    this.#exited = new Promise(resolve => {
      const end = (reason: string) => {
        resolve();
        if (this.#stopping) return;
        options.onEnd({reason: this.#reason ?? reason, slow: this.#slow, mute: this.#mute});
      };
      child.on('error', ({message}) => {
        this.#reason ??= `it could not be started or reached: ${message}`;
        // A process that failed to start has no exit event either.
        if (child.pid !== undefined) return;
        this.#watchdog.stop();
        this.#takeover?.stop();
        end(message);
      });
      child.on('exit', (code, signal) => {
        this.#watchdog.stop();
        this.#takeover?.stop();
        // Its last stderr output may still be in the pipe. `close` does not come for a child that main disconnected.
        const endWithExit = () => end(exitReasonOf(code, signal, this.#stderr));
        // The channel may also hold last messages, such as the formula that ran.
        const afterLastMessages = () => {
          if (child.connected && !this.#stopping) child.once('disconnect', endWithExit);
          else endWithExit();
        };
        if (child.stderr === null || child.stderr.closed) afterLastMessages();
        else child.stderr.once('close', afterLastMessages);
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
   * Sends one message in each turn of the event loop, so that main can write it and answer pages in between. Stops
   * early when `wanted` returns false.
   */
  sendInTurns(messages: Iterable<ToHost>, isWanted: () => boolean): void {
    const left = messages[Symbol.iterator]();
    const next = () => {
      const {value, done} = left.next();
      if (done) return;
      this.send(value);
      setImmediate(() => {
        if (isWanted()) next();
      });
    };
    next();
  }

  /** Wakes a spare that is needed now. It is ended soon if it does not answer. */
  wake(): void {
    this.#takeover = new Takeover({
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
    this.#takeover?.stop();
    if (this.#child.connected) this.#child.disconnect();
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), 500);
    await this.#exited;
    clearTimeout(patience);
  }
}

function exitReasonOf(code: number | null, signal: NodeJS.Signals | null, stderr: string): string {
  if (/heap limit|out of memory/i.test(stderr)) return 'it ran out of memory';
  const lastLine = stderr
    .split('\n')
    .map(line => line.trim())
    .find(line => /error/i.test(line));
  const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  return lastLine === undefined ? how : `${how} (${lastLine.slice(0, 300)})`;
}
