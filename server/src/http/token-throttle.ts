// Wrong tokens by address. Each one in a row makes the next refusal slower, and from an address that has never shown the
// right one nothing is looked at before that time is over: many at once would be tried at once. Where the owner has been,
// and on his own machine, the right token is taken at any time, whatever strangers beside him try.
import {isIPv6} from 'node:net';

/** Free mistakes: a person who pastes the wrong line is told at once. */
const FREE_MISTAKES = 5;
const FIRST_MS = 100;
const LONGEST_MS = 5000;
const FORGET_MS = 60_000;
const MOST_ADDRESSES = 10_000;
/** Of one address that are known to be wrong. */
const MOST_TOKENS = 32;

interface WrongTokens {
  count: number;
  last: number;
  tokens: Set<string>;
}

export class TokenThrottle {
  readonly #now: () => number;
  readonly #wrong = new Map<string, WrongTokens>();
  /** Where the right one has been shown. */
  readonly #homes = new Set<string>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether tokens from there may be looked at now. One that is known to be wrong tells nobody anything. */
  mayTry(address: string, tokens: readonly string[]): boolean {
    const place = networkOf(address);
    if (isOwnMachine(place) || this.#homes.has(place)) return true;
    const known = this.#known(place);
    if (known === undefined || tokens.every(token => known.tokens.has(token))) return true;
    return this.#now() - known.last >= waitAfter(known.count);
  }

  /** Notes wrong tokens and says how long their refusal waits. The same again, as an old page's cookie, is no guess. */
  recordWrong(address: string, tokens: readonly string[]): number {
    const place = networkOf(address);
    const known = this.#known(place) ?? {count: 0, last: 0, tokens: new Set()};
    const fresh = tokens.filter(token => !known.tokens.has(token));
    if (fresh.length === 0) return 0;
    for (const token of fresh) {
      known.tokens.add(token);
      if (known.tokens.size > MOST_TOKENS) known.tokens.delete(oldestKey(known.tokens));
    }
    known.count += fresh.length;
    known.last = this.#now();
    this.#wrong.delete(place);
    this.#wrong.set(place, known);
    if (this.#wrong.size > MOST_ADDRESSES) this.#wrong.delete(oldestKey(this.#wrong));
    return waitAfter(known.count);
  }

  recordRight(address: string): void {
    this.#homes.add(networkOf(address));
    if (this.#homes.size > MOST_ADDRESSES) this.#homes.delete(oldestKey(this.#homes));
  }

  #known(place: string): WrongTokens | undefined {
    const known = this.#wrong.get(place);
    return known !== undefined && this.#now() - known.last <= FORGET_MS ? known : undefined;
  }
}

function waitAfter(count: number): number {
  return count <= FREE_MISTAKES
    ? 0
    : Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(count - FREE_MISTAKES - 1, 10));
}

function oldestKey(held: {keys(): Iterator<string>}): string {
  return held.keys().next().value ?? '';
}

/** Whoever has one address of IPv6 has the whole network that it is in. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest];
  return all.length === 8 && all.slice(0, 7).some(group => Number.parseInt(group, 16) !== 0)
    ? all.slice(0, 4).join(':')
    : plain;
}

const isOwnMachine = (place: string) => place === '::1' || place.startsWith('127.');
