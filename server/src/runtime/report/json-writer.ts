// Values on their way out of the program: redacted copies as JSON text. What cannot be written is named in its
// place: reporting must never be what fails.

import {makeRedactor} from '../../redact.ts';

/** Characters of one value: a larger one is only said to be so. */
const longest = 1_000_000;

/** Field names whose values are nobody's business, in log lines. */
const secretName = /token|secret|pass|pwd|credential|auth|dsn|apikey/i;

export class JsonWriter {
  readonly #redact = makeRedactor();

  /** A value as JSON text, with what is secret in it hidden. `kind` where the value does not say its own. */
  value(value: unknown, kind?: string): string {
    try {
      const text = JSON.stringify(value, plain);
      if (text === undefined) return 'null';
      if (text.length > longest) return JSON.stringify({unwritable: `too large: ${text.length} characters`});
      return JSON.stringify(this.#redact(JSON.parse(text), kind));
    } catch (error) {
      return JSON.stringify({unwritable: error instanceof Error ? error.message : String(error)});
    }
  }

  /** A log line's fields. */
  fields(fields: Record<string, unknown>): string {
    const shown: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields).slice(0, 50))
      shown[name.slice(0, 200)] = secretName.test(name)
        ? 'redacted'
        : value instanceof Error
          ? value.message
          : value;
    return this.value({spec: shown}).replace(/^\{"spec":(.*)\}$/s, '$1');
  }

  /** A text, cut to what the wire takes, without the passwords of addresses in it. */
  text(text: string, most = 20_000): string {
    const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
    return JSON.stringify(
      cut.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@]*):(?!\d{1,5}[?#])([^\s/@]+)@/gi, '$1:redacted@'),
    );
  }
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return value;
}
