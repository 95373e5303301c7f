// Finds tokens without a shape of their own by the name of their issuer, as gitleaks and trufflehog do: `FASTLY_API=…`.
import {decodeWord} from './base64-word.ts';
import {changesOfClass} from './character-classes.ts';
import {ISSUER_WORDS, ISSUERS} from './issuers.ts';
import {nameWords, withoutTrailingWords} from './secret-names.ts';
import type {HideSecret} from './secret-value.ts';

const ISSUER_NEARBY = new RegExp(`(?<![A-Za-z])(?:${ISSUERS.join('|')}|linode|hetzner|snyk)`, 'i');
/** A name with one of these words holds something public. */
const PUBLIC_WORDS = new Set(
  `id ids uid uuid guid sha commit release revision version digest hash checksum etag channel site url uri host hostname region tenant account
   project org organization domain endpoint ref branch tag image build fingerprint public cert certificate ca name namespace zone user username
   price product team thumbprint serial issuer audience subject trace span request correlation sum integrity nonce cluster node path file dir`.split(
    /\s+/,
  ),
);
/** Names that end so hold a secret if the value is opaque: `FOO_ACCESS`, `BOT_PK`. */
const ACCESS_WORDS = new Set([
  'access',
  'api',
  'bearer',
  'pat',
  'pk',
  'iam',
  'jwt',
  'oauth',
  'hmac',
  'sas',
  'sdk',
  'ingestion',
  'webhook',
  'hook',
  'bot',
  'license',
  'licence',
  'hec',
]);
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** `sk-` and a UUID. */
const PREFIXED_UUID = /^[a-z]{2,10}[-_][\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const HEX = /^(?:0x)?[\da-f]{32,}(?:-[\da-f]{8}){0,2}$/i;

/** Letters and digits that no person chose: hex, a UUID, or digits spread over the letters. */
export function isOpaque(value: string): boolean {
  if (UUID.test(value) || HEX.test(value) || PREFIXED_UUID.test(value)) return true;
  // Names of Pods: lower case with hyphens.
  if (value.includes('-') && !/[A-Z_+/=]/.test(value)) return false;
  return (
    value.length >= 20 &&
    /^[\w+/.:-]+={0,2}$/.test(value) &&
    /^(?:[^\d]*\d+[^\d]+){3}/.test(value) &&
    !/[-_./:][a-z]+[-_./:]/.test(value)
  );
}

/** A random word, maybe after a short prefix: hex, or letters of both cases and digits. */
export function isRandomWord(value: string): boolean {
  // Forty capital digits are the fingerprint of a public key.
  if (HEX.test(value)) return !/^[\dA-F]{40}$/.test(value);
  const word = value.replace(/^[A-Za-z]{2,12}[-_.:]/, '');
  if (/^[a-z\d]{24,}$/.test(word) && /(?:\d\D*){4}/.test(word) && changesOfClass(word) >= 0.25) return true;
  return (
    word.length >= 20 &&
    /^[A-Za-z\d+/_-]+={0,2}$/.test(word) &&
    /^(?=.*\d)(?=.*[A-Z].*[A-Z])(?=.*[a-z].*[a-z])/.test(word) &&
    !/^(?:eyJ|iVBOR|R0lGOD|LS0tLS1CRUdJTi|AAAAB3NzaC1|AAAAC3NzaC1|AAAAE2VjZHNh)/.test(word) &&
    !/[/_-][a-z]{3,}[/_-]/.test(word) &&
    changesOfClass(word) >= 0.4
  );
}

/** A long random word of letters and digits, which no setting but a secret has. */
export function isLongRandom(value: string): boolean {
  return (
    value.length >= 32 &&
    /^(?:[A-Za-z\d]+|[A-Za-z\d+/]+={1,2})$/.test(value) &&
    /^(?:[^\d]*\d+[^\d]+){4}/.test(value) &&
    /[A-Z].*[A-Z].*[A-Z]/.test(value) &&
    /[a-z].*[a-z].*[a-z]/.test(value) &&
    !/^(?:eyJ|iVBOR|R0lGOD|LS0tLS1CRUdJTi)/.test(value)
  );
}

const isText = (value: string) => value.length % 4 === 0 && decodeWord(value) !== undefined;

/** `TWITCH=…`: under the name of an issuer alone, a shorter word of letters and digits is a token. */
function isTokenOfIssuer(name: string, value: string): boolean {
  if (value.length < 14 || !/^[A-Za-z\d]*\d[A-Za-z\d]*$/.test(value) || !/[A-Za-z].*[A-Za-z]/.test(value))
    return false;
  const words = nameWords(name);
  return words.some(word => ISSUER_WORDS.has(word)) && !words.some(word => PUBLIC_WORDS.has(word));
}

/** Whether a setting whose name does not say so holds a token. */
export function isOpaqueSetting(name: string, value: string, isShortList = false): boolean {
  if (isShortList && isTokenOfIssuer(name, value)) return true;
  // Base64 of a text is looked at by the rules for its text.
  if (
    value.length < 20 ||
    !(isOpaque(value) || (isShortList && isRandomWord(value))) ||
    (!HEX.test(value) && isText(value))
  )
    return false;
  const words = nameWords(name);
  if (/secret_?id$/i.test(name)) return true;
  if (words.some(word => PUBLIC_WORDS.has(word))) return false;
  const last = withoutTrailingWords(words).at(-1) ?? '';
  if (
    ACCESS_WORDS.has(last) ||
    /[a-z]key$/.test(last) ||
    isLongRandom(value) ||
    (isShortList && isRandomWord(value))
  )
    return true;
  return words.some(word => ISSUER_WORDS.has(word)) && !/^LS0tLS1CRUdJTiBDRVJU/.test(value);
}

/** `basicAuth: alice:hunter2`. */
export function isUserAndPassword(name: string, value: string): boolean {
  return (
    /(?:auth|user_?pass|user[._]?info|login|sasl|robot|bind|credentials?|creds?|basic)$/i.test(name) &&
    /^[\w.@$=,+-]{1,64}:(?!\d{1,5}$)[^\s:/]{3,}$/.test(value)
  );
}

const JWK_SECRETS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);
/** The private members of a JSON web key. */
export function isJwkSecret(node: object, name: string): boolean {
  return name.length <= 2 && JWK_SECRETS.has(name) && 'kty' in node;
}

const OPAQUE_WORD =
  /(?<![\w+/=.:@%-])(?=[A-Za-z_-]{0,40}\d)[A-Za-z\d][\w-]{18,}(?:[+/][\w+/-]*)?={0,2}(?![\w+/=@-]|\.\w)/g;
/** How far before the token its issuer may stand. */
const NEARBY = 40;

/** Replaces opaque words that follow the name of an issuer in the same line of a text. */
export function hideOpaqueWords(text: string, hide: HideSecret): string {
  if (text.length < 24) return text;
  return text.replace(OPAQUE_WORD, (word, at: number) => {
    if (word.startsWith('redacted') || !(isOpaque(word) || isRandomWord(word))) return word;
    const before = text.slice(Math.max(0, at - NEARBY), at);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const issuer = ISSUER_NEARBY.exec(line);
    if (issuer === null) return word;
    const between = nameWords(line.slice(issuer.index));
    return between.some(one => PUBLIC_WORDS.has(one)) ? word : hide(word);
  });
}
