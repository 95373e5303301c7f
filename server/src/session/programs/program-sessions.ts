// Assigns programs to sessions. The first connected program of a name gets the name, the second one `#2`.
// A session stays when its program goes. A returning program takes the lowest free session.
import {PROGRAM_PROTOCOL} from '@krtscope/shared/programs/program.ts';
import {programCloses, programLimits} from '@krtscope/shared/programs/program-limits.ts';
import type {ProgramChannel, ProgramReceiver, Programs} from '../../engine/link/programs.ts';
import type {Telemetry} from '../../telemetry/telemetry.ts';
import {type ProgramRefusal, parseMessage} from './parse-message.ts';
import {ProgramFeed, type ProgramHello} from './program-feed.ts';

export interface ProgramSessionsOptions {
  /** Opens a session of that name over this feed. */
  open(name: string, feed: ProgramFeed): void;
  /** Closes the session and drops its recording. */
  close(name: string): void;
  /** The key of the digests of a program's redacted values, in hex. */
  redactionKey(program: string): string;
  log(sentence: string): void;
  /** Undefined unless an exporter is on. */
  telemetry?(): Telemetry | undefined;
}

/** Most sessions of disconnected programs. The oldest one is closed first. */
const MAX_DISCONNECTED = 8;

export class ProgramSessions implements Programs {
  readonly #options: ProgramSessionsOptions;
  readonly #feeds = new Map<string, ProgramFeed>();

  constructor(options: ProgramSessionsOptions) {
    this.#options = options;
  }

  /** The session was closed elsewhere. */
  forget(name: string): void {
    this.#feeds.delete(name);
  }

  receive(channel: ProgramChannel): ProgramReceiver {
    let feed: ProgramFeed | undefined;
    const refuse = (refusal: ProgramRefusal, code: number = programCloses.refused): void => {
      channel.say({type: 'refused', ...refusal});
      channel.close(code, refusal.message.slice(0, 100));
    };
    const take = (text: string): void => {
      if (text.length > programLimits.messageBytes) {
        const message = `a message is larger than ${programLimits.messageBytes} bytes`;
        return refuse({code: 'too-large', message, retry: false}, programCloses.tooLarge);
      }
      const parsed = parseMessage(text);
      if ('refusal' in parsed) return refuse(parsed.refusal);
      const {message} = parsed;
      if (feed !== undefined) {
        const refusal = feed.take(message, text.length);
        if (refusal !== undefined) refuse(refusal);
        return;
      }
      if (message.type !== 'hello')
        return refuse({code: 'bad-message', message: 'hello must be the first message', retry: false});
      const assigned = this.#assignSession(message, channel);
      if ('code' in assigned) return refuse(assigned, programCloses.tooMany);
      feed = assigned.feed;
      const redactionKey = this.#options.redactionKey(message.name);
      channel.say({type: 'welcome', protocol: PROGRAM_PROTOCOL, session: assigned.name, redactionKey});
    };
    return {
      take,
      gone: () => {
        if (feed === undefined) return;
        feed.disconnect(channel);
        this.#closeOldestDisconnected();
      },
    };
  }

  #assignSession(
    hello: ProgramHello,
    channel: ProgramChannel,
  ): {name: string; feed: ProgramFeed} | ProgramRefusal {
    if (hello.protocol !== PROGRAM_PROTOCOL)
      return {
        code: 'protocol',
        message: `protocol ${hello.protocol} is not supported; this krtscope speaks ${PROGRAM_PROTOCOL}`,
        retry: false,
      };
    const names = possibleSessionNames(hello.name);
    const own = this.#find(names, feed => feed.instance === hello.instance);
    if (own !== undefined) {
      own.feed.reconnect(hello, channel);
      return own;
    }
    const connected = [...this.#feeds.values()].filter(feed => feed.isConnected).length;
    if (connected >= programLimits.programs)
      return {
        code: 'too-many',
        message: `${programLimits.programs} programs are connected already`,
        retry: true,
      };
    for (const name of names) {
      const existing = this.#feeds.get(name);
      if (existing?.isConnected) continue;
      if (existing !== undefined) {
        existing.reconnect(hello, channel);
        return {name, feed: existing};
      }
      const feed = new ProgramFeed(hello, channel, this.#options.telemetry?.());
      this.#feeds.set(name, feed);
      this.#options.open(name, feed);
      return {name, feed};
    }
    return {code: 'too-many', message: `too many programs have the name ${hello.name}`, retry: true};
  }

  #find(names: readonly string[], fits: (feed: ProgramFeed) => boolean) {
    for (const name of names) {
      const feed = this.#feeds.get(name);
      if (feed !== undefined && fits(feed)) return {name, feed};
    }
    return undefined;
  }

  #closeOldestDisconnected(): void {
    const disconnected = [...this.#feeds].filter(([, feed]) => !feed.isConnected);
    if (disconnected.length <= MAX_DISCONNECTED) return;
    const [oldest] = disconnected.sort(([, a], [, b]) => a.since - b.since);
    if (oldest === undefined) return;
    this.#options.log(
      `${oldest[0]} was closed: more than ${MAX_DISCONNECTED} programs are disconnected, and it was the oldest`,
    );
    this.#feeds.delete(oldest[0]);
    this.#options.close(oldest[0]);
  }
}

/** The possible sessions of a program with this name, in order of preference. */
function possibleSessionNames(name: string): string[] {
  const most = programLimits.programs + MAX_DISCONNECTED;
  return Array.from({length: most}, (_, i) => (i === 0 ? `program:${name}` : `program:${name}#${i + 1}`));
}
