// Decodes a word of base64 that holds a text.

const MAX_DECODED = 64 * 1024;

/** The text, or undefined if the bytes are not a text. */
export function decodeWord(word: string): string | undefined {
  if (word.length > MAX_DECODED) return undefined;
  const decoded = Buffer.from(word, 'base64').toString('utf8');
  // Control characters and replacement characters: not a text.
  for (let at = 0; at < decoded.length && at < 200; at += 1) {
    const code = decoded.charCodeAt(at);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffd || code === 127)
      return undefined;
  }
  return decoded;
}
