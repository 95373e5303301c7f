// The names of a redaction policy: which names they cover, and the values that a text assigns to such a name.
import {nameWords, withoutTrailingWords} from './text/secret-names.ts';
import {isReference} from './text/secret-value.ts';

/** A part of a text that a policy hides: the characters from `from` to `to`. */
export interface PolicyMatch {
  rule: string;
  from: number;
  to: number;
}

/** A flag or a name, its separator, and a quoted or plain value. */
const PAIR =
  /(?<![\w.-])(--?)?(\\?["'])?([A-Za-z_][\w./-]{0,99})(?:\\?["'])?([ \t]*(?:=>|:=|[=:])[ \t]*|[ \t]+)(\\?["'])?/g;
const ELEMENT = /<([A-Za-z_][\w.-]{0,99})>([^<]+)(?=<\/)/g;
const PLAIN_VALUE = /[^\s,;&"'`}\])<]+/y;
const MAX_CACHED_NAMES = 10_000;

export class PolicyNames {
  readonly #names: readonly {source: string; words: string}[];
  /** Tells quickly that a text has none of the names. */
  readonly #anywhere: RegExp;
  readonly #cache = new Map<string, string | undefined>();

  constructor(names: readonly string[]) {
    this.#names = names.map(source => ({source, words: ` ${nameWords(source).join(' ')}`}));
    const parts = this.#names.map(({words}) => words.trim().replaceAll(' ', '[^a-z0-9]*'));
    this.#anywhere = new RegExp(parts.length === 0 ? '(?!)' : parts.join('|'), 'i');
  }

  /** The rule for a value under this name, or undefined. */
  ruleFor(name: string): string | undefined {
    if (this.#names.length === 0 || name.length > 253) return undefined;
    if (this.#cache.has(name)) return this.#cache.get(name);
    if (this.#cache.size >= MAX_CACHED_NAMES) this.#cache.clear();
    const words = nameWords(name.slice(name.lastIndexOf('/') + 1));
    const ends = [words, withoutTrailingWords(words)].map(list => ` ${list.join(' ')}`);
    const found = this.#names.find(one =>
      ends.some(end => end.endsWith(one.words) || end.endsWith(` ${one.words.replaceAll(' ', '')}`)),
    );
    const rule = found && `policy names: ${found.source}`;
    this.#cache.set(name, rule);
    return rule;
  }

  /** The values that a text assigns to these names. */
  findIn(text: string): PolicyMatch[] {
    if (!this.#anywhere.test(text)) return [];
    const found: PolicyMatch[] = [];
    const add = (name: string, from: number, to: number) => {
      const rule = this.ruleFor(name);
      if (rule !== undefined && to > from && !isReference(text.slice(from, to))) found.push({rule, from, to});
      return rule !== undefined;
    };
    PAIR.lastIndex = 0;
    for (let pair = PAIR.exec(text); pair !== null; pair = PAIR.exec(text)) {
      const [all, dashes, , name = '', separator = '', quote] = pair;
      const from = pair.index + all.length;
      const isPair = separator.trim() !== '' || dashes !== undefined;
      const to = quote === undefined ? plainEnd(text, from) : quotedEnd(text, from, quote);
      // The value of another pair may itself begin a pair.
      if (isPair && add(name, from, to)) PAIR.lastIndex = to;
      else PAIR.lastIndex = from - (quote?.length ?? 0);
    }
    for (const element of text.matchAll(ELEMENT)) {
      const [all, name = '', value = ''] = element;
      add(name, element.index + all.length - value.length, element.index + all.length);
    }
    return found;
  }
}

function plainEnd(text: string, from: number): number {
  PLAIN_VALUE.lastIndex = from;
  return PLAIN_VALUE.test(text) ? PLAIN_VALUE.lastIndex : from;
}

function quotedEnd(text: string, from: number, quote: string): number {
  const end = text.indexOf(quote, from);
  return end < 0 ? text.length : end;
}
