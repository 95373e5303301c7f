// Writes redacted values as JSON text. A value that cannot be written is replaced by a note, because reporting must
// never fail.

import {makeRedactor} from '../../redact/redactor.ts';

/** The most characters of one value. A larger value is replaced by a note. */
const longest = 1_000_000;

/** Field names of log lines whose values are hidden. */
const secretName = /token|secret|pass|pwd|credential|auth|dsn|apikey/i;

export class JsonWriter {
  #redact = makeRedactor();
  #key = '';

  /** Uses krtscope's key, so that a value that did not change has the same digest after a restart. */
  setRedactionKey(key: string | undefined): void {
    if (key === undefined || key === this.#key) return;
    this.#key = key;
    this.#redact = makeRedactor(Buffer.from(key, 'hex'));
  }

  /** Returns a value as JSON text with secrets hidden. `kind` is for values without a kind field. */
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

  /** Returns the fields of a log line. */
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

  /** Returns a shortened text without passwords in URLs. */
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
