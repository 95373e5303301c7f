// Base64 for formulas. Their process has no Buffer.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map([...ALPHABET].map((letter, value) => [letter, value]));
values.set('-', 62).set('_', 63);

/** The bytes of a base64 text, of either alphabet. Throws TypeError for other texts. */
export function bytesOfBase64(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text.replace(/=+\s*$/, '')) {
    if (letter === '\n' || letter === '\r' || letter === ' ') continue;
    const value = values.get(letter);
    if (value === undefined) throw new TypeError(`"${text.slice(0, 40)}" is not base64`);
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return bytes;
}

/** The text of UTF-8 bytes. Bytes that are not UTF-8 are read as Latin-1. */
export function textOfBytes(bytes: readonly number[]): string {
  const pieces = bytes.map(byte => `%${byte.toString(16).padStart(2, '0')}`);
  try {
    return decodeURIComponent(pieces.join(''));
  } catch {
    return bytes.map(byte => String.fromCharCode(byte)).join('');
  }
}

/** The text inside a base64 text, such as a value of a Secret's data. */
export function decodeBase64(text: unknown): string {
  return textOfBytes(bytesOfBase64(String(text ?? '')));
}

export function encodeBase64(text: unknown): string {
  const bytes = encodeURIComponent(String(text ?? '')).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  let result = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1), bytes.charCodeAt(at + 2)];
    const group = (a << 16) | ((b || 0) << 8) | (c || 0);
    const letters = [group >> 18, group >> 12, group >> 6, group].map(value => ALPHABET[value & 63]);
    result += letters.slice(0, Number.isNaN(b) ? 2 : Number.isNaN(c) ? 3 : 4).join('');
  }
  return result + '='.repeat((4 - (result.length % 4)) % 4);
}
