// Which program is which session: a name's first live one has the name, a second one `#2`. A session stays when its
// program goes, and a comeback takes the lowest one that is free.
import {PROGRAM_PROTOCOL} from '@krtscope/shared/programs/program.ts';
import {programCloses, programLimits} from '@krtscope/shared/programs/program-limits.ts';
import type {ProgramChannel, ProgramReceiver, Programs} from '../../engine/link/programs.ts';
import {type ProgramRefusal, parseMessage} from './parse-message.ts';
import {ProgramFeed, type ProgramHello} from './program-feed.ts';

export interface ProgramSessionsOptions {
  /** Opens a session of that name over this feed. */
  open(name: string, feed: ProgramFeed): void;
  /** Closes it: its recording goes with it. */
  close(name: string): void;
  log(sentence: string): void;
}

/** Sessions whose programs are gone; of more the one that went first is closed. */
const MAX_DISCONNECTED = 8;

export class ProgramSessions implements Programs {
  readonly #options: ProgramSessionsOptions;
  readonly #feeds = new Map<string, ProgramFeed>();

  constructor(options: ProgramSessionsOptions) {
    this.#options = options;
  }

  /** The session was closed by somebody else. */
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
        return refuse({code: 'bad-message', message: 'hello comes first', retry: false});
      const seated = this.#assignSession(message, channel);
      if ('code' in seated) return refuse(seated, programCloses.tooMany);
      feed = seated.feed;
      channel.say({type: 'welcome', protocol: PROGRAM_PROTOCOL, session: seated.name});
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
        message: `protocol ${hello.protocol} is not spoken here, but ${PROGRAM_PROTOCOL}`,
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
      const known = this.#feeds.get(name);
      if (known?.isConnected) continue;
      if (known !== undefined) {
        known.reconnect(hello, channel);
        return {name, feed: known};
      }
      const feed = new ProgramFeed(hello, channel);
      this.#feeds.set(name, feed);
      this.#options.open(name, feed);
      return {name, feed};
    }
    return {code: 'too-many', message: `too many programs are called ${hello.name}`, retry: true};
  }

  #find(names: readonly string[], fits: (feed: ProgramFeed) => boolean) {
    for (const name of names) {
      const feed = this.#feeds.get(name);
      if (feed !== undefined && fits(feed)) return {name, feed};
    }
    return undefined;
  }

  #closeOldestDisconnected(): void {
    const gone = [...this.#feeds].filter(([, feed]) => !feed.isConnected);
    if (gone.length <= MAX_DISCONNECTED) return;
    const [oldest] = gone.sort(([, a], [, b]) => a.since - b.since);
    if (oldest === undefined) return;
    this.#options.log(
      `${oldest[0]} went first of more than ${MAX_DISCONNECTED} programs that are gone, and is closed`,
    );
    this.#feeds.delete(oldest[0]);
    this.#options.close(oldest[0]);
  }
}

/** The sessions that a program of this name can be, in the order in which they are taken. */
function possibleSessionNames(name: string): string[] {
  const most = programLimits.programs + MAX_DISCONNECTED;
  return Array.from({length: most}, (_, i) => (i === 0 ? `program:${name}` : `program:${name}#${i + 1}`));
}
