// The keys of the digests that stand for redacted values. One secret in the data directory gives every cluster and every
// program a key of its own: a restart shows no change, and equal values in two clusters look different.
import {createHmac, randomBytes} from 'node:crypto';
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const BYTES = 32;

export class RedactionKeys {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** Reads the secret of a data directory, or makes one. Without a writable directory the keys last as long as the process. */
  static load(dataDir: string, log: (line: string) => void): RedactionKeys {
    const file = join(dataDir, 'redaction-key');
    try {
      const stored = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
      if (stored.byteLength === BYTES) return new RedactionKeys(stored);
    } catch {
      // There is none yet.
    }
    const secret = randomBytes(BYTES);
    try {
      mkdirSync(dataDir, {recursive: true, mode: 0o700});
      writeFileSync(file, `${secret.toString('hex')}\n`, {mode: 0o600});
      chmodSync(file, 0o600);
    } catch (error) {
      log(
        `${file} cannot be written (${(error as Error).message}): redacted values will look changed after a restart`,
      );
    }
    return new RedactionKeys(secret);
  }

  /** `owner` is a cluster's identity or a program's name. */
  keyOf(kind: 'cluster' | 'program', owner: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${kind}\n${owner}`).digest();
  }
}
