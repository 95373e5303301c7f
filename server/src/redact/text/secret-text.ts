// Replaces the secrets in a text, by all rules: shapes, addresses, assignments, command lines, and inside base64 once.

import {decodeWord} from './base64-word.ts';
import {hideFlags} from './command-line.ts';
import {hideOpaqueWords} from './opaque-value.ts';
import {hideAddresses} from './secret-addresses.ts';
import {hideAssignments} from './secret-assignments.ts';
import {hideManifests} from './secret-manifest.ts';
import {hideShapes} from './secret-shapes.ts';
import type {HideSecret} from './secret-value.ts';

/** Words of base64 that are long enough to hold a name and a secret. */
const BASE64 = /(?<![\w+/=.-])(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?![\w+/=-])/g;
/** The shortest token with a shape of its own, and the shortest base64 that is decoded. */
const MIN_SHAPE = 16;
/** Without one of these a text assigns nothing, is no address and has no flag. */
const SEPARATOR = /[=:\s<@]/;
const FLAG_OR_PROGRAM =
  /(?:^|\s)-|passw|AUTH |add_user|pass:|<<<|alias set|unseal |set-agent-token|<\(|sqlplus|\/p:|\bsed |net use|http-basic/;

// An update of an object repeats most texts of the object before it.
const MAX_CACHED_TEXT = 300;
const MAX_CACHED_TEXTS = 10_000;
const textsWithoutSecret = new Set<string>();

export function hideInText(text: string, hide: HideSecret): string {
  if (text.length < MIN_SHAPE && !SEPARATOR.test(text)) return text;
  if (textsWithoutSecret.has(text)) return text;
  const result = hideEncoded(hidePlain(text, hide), hide);
  if (result === text && text.length <= MAX_CACHED_TEXT) {
    if (textsWithoutSecret.size >= MAX_CACHED_TEXTS) textsWithoutSecret.clear();
    textsWithoutSecret.add(text);
  }
  return result;
}

function hidePlain(text: string, hide: HideSecret): string {
  const shaped = text.length >= MIN_SHAPE ? hideShapes(text, hide) : text;
  if (!SEPARATOR.test(shaped)) return shaped;
  const result = hideAssignments(hideAddresses(hideManifests(shaped, hide), hide), hide);
  const named = hideOpaqueWords(result, hide);
  return FLAG_OR_PROGRAM.test(named) ? hideFlags(named, hide) : named;
}

/** What Basic authentication encodes. A port is not a password. */
const USER_AND_PASSWORD = /^(?!sha(?:1|256|512):|https?:)[\w.@-]{1,64}:(?!\d{1,5}$)[\w!-/;-@[-`{-~]{4,64}$/;

/** Base64 that decodes to a text with a secret is hidden as a whole. */
function hideEncoded(text: string, hide: HideSecret): string {
  if (text.length < MIN_SHAPE) return text;
  return text.replace(BASE64, word => {
    const decoded = decodeWord(word);
    if (decoded === undefined) return word;
    return USER_AND_PASSWORD.test(decoded) || hidePlain(decoded, hide) !== decoded ? hide(word) : word;
  });
}

/** The base64 in a text that decodes to a text. */
export function encodedWords(text: string): {word: string; decoded: string; from: number}[] {
  if (text.length < MIN_SHAPE) return [];
  return [...text.matchAll(BASE64)].flatMap(({0: word, index: from}) => {
    const decoded = decodeWord(word);
    return decoded === undefined ? [] : [{word, decoded, from}];
  });
}

/** The rules for texts in their order, by id, for a report. */
export const textRules: readonly (readonly [id: string, apply: typeof hideInText])[] = [
  ['shape', hideShapes],
  ['secret-data', hideManifests],
  ['address', hideAddresses],
  ['assignment', hideAssignments],
  ['issuer', hideOpaqueWords],
  ['flag', (text, hide) => hideFlags(text, hide)],
  ['base64', hideEncoded],
];
