// Counts wrong tokens by address. Each wrong token in a row makes the next refusal slower. An address that never showed
// the right token is not checked before its wait ends, so parallel guesses do not help. The right token is always
// accepted from this machine and from addresses that showed it before.
import {isIPv6} from 'node:net';

/** Mistakes without a wait, for a person who pastes the wrong line. */
const FREE_MISTAKES = 5;
const FIRST_MS = 100;
const LONGEST_MS = 5000;
const FORGET_MS = 60_000;
const MOST_ADDRESSES = 10_000;
/** Wrong tokens that are remembered for one address. */
const MOST_TOKENS = 32;

interface WrongTokens {
  count: number;
  last: number;
  tokens: Set<string>;
}

export class TokenThrottle {
  readonly #now: () => number;
  readonly #wrong = new Map<string, WrongTokens>();
  /** Addresses that showed the right token. */
  readonly #trusted = new Set<string>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Whether tokens from this address may be checked now. A repeated wrong token may be, because its check
   * reveals nothing.
   */
  mayTry(address: string, tokens: readonly string[]): boolean {
    const network = networkOf(address);
    if (isOwnMachine(network) || this.#trusted.has(network)) return true;
    const wrong = this.#recent(network);
    if (wrong === undefined || tokens.every(token => wrong.tokens.has(token))) return true;
    return this.#now() - wrong.last >= waitAfter(wrong.count);
  }

  /**
   * Records wrong tokens and returns how long their refusal waits. A repeated one, such as the one of an open tab, is
   * not a guess.
   */
  recordWrong(address: string, tokens: readonly string[]): number {
    const network = networkOf(address);
    const wrong = this.#recent(network) ?? {count: 0, last: Number.NEGATIVE_INFINITY, tokens: new Set()};
    const fresh = tokens.filter(token => !wrong.tokens.has(token));
    if (fresh.length === 0) return 0;
    for (const token of fresh) {
      wrong.tokens.add(token);
      if (wrong.tokens.size > MOST_TOKENS) wrong.tokens.delete(oldestKey(wrong.tokens));
    }
    wrong.count += fresh.length;
    wrong.last = this.#now();
    this.#wrong.delete(network);
    this.#wrong.set(network, wrong);
    if (this.#wrong.size > MOST_ADDRESSES) this.#wrong.delete(oldestKey(this.#wrong));
    return waitAfter(wrong.count);
  }

  recordRight(address: string): void {
    this.#trusted.add(networkOf(address));
    if (this.#trusted.size > MOST_ADDRESSES) this.#trusted.delete(oldestKey(this.#trusted));
  }

  #recent(network: string): WrongTokens | undefined {
    const wrong = this.#wrong.get(network);
    return wrong !== undefined && this.#now() - wrong.last <= FORGET_MS ? wrong : undefined;
  }
}

function waitAfter(count: number): number {
  return count <= FREE_MISTAKES
    ? 0
    : Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(count - FREE_MISTAKES - 1, 10));
}

function oldestKey(map: {keys(): Iterator<string>}): string {
  return map.keys().next().value ?? '';
}

/** An owner of one IPv6 address usually owns its whole /64 network. */
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

const isOwnMachine = (network: string) => network === '::1' || network.startsWith('127.');
