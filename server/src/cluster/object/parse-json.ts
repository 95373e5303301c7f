// A JSON parser with Go's error texts. It reports duplicate keys and keeps integers beyond 2^53 exact.
import {setField} from '@krtscope/shared/json/deep-copy.ts';
import type {JsonObject} from './stored-object.ts';

export class JsonSyntaxError extends Error {}

interface ParsedJson {
  value: unknown;
  /** Paths of duplicate keys in order, such as "data.a". The last value wins. */
  doubled: string[];
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const CONTROL = `${String.fromCharCode(0)}-${String.fromCharCode(31)}`;
// Matches up to a quote, a backslash or a control character.
const PLAIN = new RegExp(`[^"${String.raw`\\`}${CONTROL}]*`, 'y');
// Go allows ten times as much. Here, reading or copying such a value would overflow the stack.
const MAX_DEPTH = 1000;

class JsonParser {
  readonly #text: string;
  readonly #path: string[] = [];
  #at = 0;
  #depth = 0;
  readonly doubled: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) throw this.#bad('after top-level value');
    return value;
  }

  #value(): unknown {
    this.#space();
    const letter = this.#text[this.#at];
    if (letter === undefined) throw this.#ended();
    if (letter === '{') return this.#nested(() => this.#object());
    if (letter === '[') return this.#nested(() => this.#array());
    if (letter === '"') return this.#string();
    if (letter === 't') return this.#literal('true', true);
    if (letter === 'f') return this.#literal('false', false);
    if (letter === 'n') return this.#literal('null', null);
    if (letter === '-' || (letter >= '0' && letter <= '9')) return this.#number();
    throw this.#bad('looking for beginning of value');
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.#bad('exceeded max depth');
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): JsonObject {
    const out: JsonObject = {};
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return out;
    }
    for (;;) {
      this.#space();
      if (this.#at >= this.#text.length) throw this.#ended();
      if (this.#text[this.#at] !== '"') throw this.#bad('looking for beginning of object key string');
      const key = this.#string();
      this.#space();
      if (this.#at >= this.#text.length) throw this.#ended();
      if (this.#text[this.#at] !== ':') throw this.#bad('after object key');
      this.#at++;
      this.#path.push(key);
      if (Object.hasOwn(out, key)) this.doubled.push(dottedPath(this.#path));
      setField(out, key, this.#value());
      this.#path.pop();
      this.#space();
      const next = this.#text[this.#at];
      if (next === undefined) throw this.#ended();
      if (next !== ',' && next !== '}') throw this.#bad('after object key:value pair');
      this.#at++;
      if (next === '}') return out;
    }
  }

  #array(): unknown[] {
    const out: unknown[] = [];
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return out;
    }
    for (;;) {
      this.#path.push(`[${out.length}]`);
      out.push(this.#value());
      this.#path.pop();
      this.#space();
      const next = this.#text[this.#at];
      if (next === undefined) throw this.#ended();
      if (next !== ',' && next !== ']') throw this.#bad('after array element');
      this.#at++;
      if (next === ']') return out;
    }
  }

  #string(): string {
    const start = this.#at++;
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.exec(this.#text);
      this.#at = PLAIN.lastIndex;
      const letter = this.#text[this.#at];
      if (letter === undefined) throw this.#ended();
      if (letter === '"') break;
      if (letter !== '\\') throw this.#bad('in string literal');
      this.#escape();
    }
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #escape(): void {
    this.#at++;
    const letter = this.#text[this.#at];
    if (letter === undefined) throw this.#ended();
    if (!'"\\/bfnrtu'.includes(letter)) throw this.#bad('in string escape code');
    this.#at++;
    if (letter !== 'u') return;
    for (let i = 0; i < 4; i++, this.#at++) {
      if (this.#at >= this.#text.length) throw this.#ended();
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at]!)) throw this.#bad('in \\u hexadecimal character escape');
    }
  }

  #number(): unknown {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text === undefined) {
      this.#at++;
      if (this.#at >= this.#text.length) throw this.#ended();
      throw this.#bad('in numeric literal');
    }
    this.#at += text.length;
    const number = Number(text);
    if (/^-?\d+$/.test(text) && !Number.isSafeInteger(number)) return JSON.rawJSON(text);
    return number;
  }

  #literal<T>(word: string, value: T): T {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#at >= this.#text.length) throw this.#ended();
      if (this.#text[this.#at] !== word[i])
        throw this.#bad(`in literal ${word} (expecting ${letterOf(word[i]!)})`);
    }
    return value;
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #bad(where: string): JsonSyntaxError {
    const letter = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    return new JsonSyntaxError(`invalid character ${letterOf(letter)} ${where}`);
  }

  #ended(): JsonSyntaxError {
    return new JsonSyntaxError('unexpected end of JSON input');
  }
}

/** Go's quoting of one character in a syntax error. */
function letterOf(letter: string): string {
  if (letter === "'") return `'\\''`;
  if (letter === '"') return `'"'`;
  const quoted = JSON.stringify(letter).slice(1, -1);
  return `'${quoted.replace(/\\u00/, '\\x')}'`;
}

function dottedPath(path: string[]): string {
  return path.join('.').replaceAll('.[', '[');
}

export function parseJson(text: string): ParsedJson {
  const parser = new JsonParser(text);
  const value = parser.document();
  return {value, doubled: parser.doubled};
}
