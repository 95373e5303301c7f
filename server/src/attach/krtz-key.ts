// Shortens keys. The key of a file collection is the whole content of the file.
import {createHash} from 'node:crypto';

const MAX_KEY_CHARACTERS = 1000;

export function keyOf(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return key;
  return `${key.slice(0, MAX_KEY_CHARACTERS)}… ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}
