// Decides by a name (of a variable, field, ConfigMap key, flag, header or annotation) whether its value is a secret.

import {isRandom} from './character-classes.ts';

/** A name that ends with one of these words holds a secret, wherever the name stands. */
export const SECRET_WORDS: ReadonlySet<string> = new Set(
  `password passwords passwd passwort passphrase pwd pass pw token tokens secret secrets apikey apikeys
   credential credentials creds passcode privatekey secretkey accesskey authtoken accesstoken
   clientsecret sharedsecret masterkey signingkey encryptionkey connectionstring authtok connstr htpasswd mnemonic psk otp pin pincode seedphrase
   kennwort motdepasse passe contrasena senha wachtwoord haslo heslo salasana losenord adgangskode jelszo parola sifre`.split(
    /\s+/,
  ),
);
/** Words that are written together: PGPASSWORD, githubtoken. */
const SECRET_ENDING =
  /(?:password|passwd|passphrase|apikey|token|secret|secretkey|privatekey|accesskey|[a-z]{2}pass|[a-z]{2}pwd|(?:root|bind|user|db|admin|ldap|login|default)pw)$/;
/** Ordinary words that end like a password. */
const ENDS_WITH_PASS =
  /(?:^|[^a-z])(?:by|com|encom|sur|tres|over|under|im|low|high|band|all|multi|sub|render)pass$/;
/** Words that mean a secret only in short lists of settings: variables, ConfigMap keys, flags, headers. */
export const SETTING_WORDS: ReadonlySet<string> = new Set([
  'key',
  'keys',
  'auth',
  'dsn',
  'cookie',
  'cookies',
  'authorization',
  'cred',
  'bearer',
  'salt',
]);
/** `apiKey` is a secret, `topologyKey` is not: the word before decides. */
export const KEY_OWNERS: ReadonlySet<string> = new Set(
  `api access secret private signing signature encryption encrypt decryption master account client ssh auth shared session service storage
   license webhook deploy deployment admin root hmac aes rsa ec ecdsa ed25519 consumer app application ssl tls gpg pgp jwt jwk jwe jws cipher crypto
   security subscription write ingest integration provisioning bot server registration recovery unseal seal stripe sendgrid mailgun datadog newrelic
   algolia openai anthropic google azure aws gcp firebase github gitlab slack twilio s3 minio wireguard preshared psk user rest functions host
   secrets csrf data kek dek instrumentation`.split(/\s+/),
);
/** A key of one of these kinds is public or is not cryptographic at all. */
const PUBLIC_KEY_OWNERS = new Set(
  `public primary foreign partition sort cache routing label annotation topology group index object row map config feature message lookup shard hash
   join idempotency issue project order tenant record range natural composite unique candidate super alternate surrogate bucket queue
   sticky affinity metric dimension attribute property header field param parameter query locale translation i18n hot short function arrow
   enter matching registry dictionary json yaml column sharding distribution clustering compound dedup deduplication correlation trace event topic
   node zone region selector taint toleration env variable volume pub publishable site namespace team`.split(
    /\s+/,
  ),
);
/** Words that may follow the word that counts: DB_PASSWORD_OLD, client-key-data, SECRET_KEY_BASE. */
const TRAILING_WORDS = new Set(
  `old new current previous prev next base data value values val v1 v2 v3 prod production staging stage dev test local main primary secondary
   b64 base64 encoded plain plaintext cleartext raw string text txt hash hashed hex sha1 sha256 sha512 md5 bcrypt default backup admin root user rw ro readonly
   pem der p12 pfx jks json 1 2 3 4 5`.split(/\s+/),
);
/** `seedPhrase`, `recoveryCodes`: the word before decides. */
const PHRASE_OWNERS = new Set([
  'seed',
  'mnemonic',
  'recovery',
  'backup',
  'secret',
  'unlock',
  'pin',
  'mfa',
  'totp',
  'wallet',
  'pass',
]);
/** Splits `spring.datasource.DB_password2` or `dbPassword` into lower-case words. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d+)$/, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');
}

/** How sure a name must be: fields of any object are many, settings are few and mostly secrets if they sound so. */
export type NameContext = 'field' | 'setting';

/** Leaves out the words that may follow the word that counts. */
export function withoutTrailingWords(words: readonly string[]): readonly string[] {
  let last = words.length - 1;
  while (last > 0 && TRAILING_WORDS.has(words[last] as string)) last -= 1;
  return words.slice(0, last + 1);
}

function decide(name: string, context: NameContext): boolean {
  const words = withoutTrailingWords(nameWords(name));
  const word = words.at(-1);
  if (word === undefined) return false;
  const before = words.at(-2) ?? '';
  if (/^no_?pass/.test(word)) return false;
  if (word === 'key' || word === 'keys') return isSecretKey(word, before, context);
  if (SECRET_WORDS.has(word) || (SECRET_ENDING.test(word) && !ENDS_WITH_PASS.test(word)))
    return !isAboutSecrets(word, before, context);
  if (/^(?:phrase|words|codes?)$/.test(word)) return PHRASE_OWNERS.has(before);
  return context === 'setting' && SETTING_WORDS.has(word);
}

function isSecretKey(word: string, before: string, context: NameContext): boolean {
  if (PUBLIC_KEY_OWNERS.has(before)) return false;
  return KEY_OWNERS.has(before) || (context === 'setting' && word === 'key');
}

/** `tlsSecret` and `passwordSecret` name a Secret. */
const NAME_OF_SECRET = new Set([
  'pull',
  'tls',
  'certificate',
  'cert',
  'ca',
  'existing',
  'external',
  'sealed',
  'password',
  'passwd',
  'credential',
  'credentials',
  'key',
]);
/** `pin` and `pass` alone are ordinary words in fields; `imagePullSecrets` and `tlsSecret` name Secrets. */
function isAboutSecrets(word: string, before: string, context: NameContext): boolean {
  if (word === 'secrets' || word === 'secret') return NAME_OF_SECRET.has(before);
  if (word === 'pin' || word === 'otp' || word === 'pw') return context === 'field' && before === '';
  if (word === 'tokens')
    return ['max', 'min', 'total', 'num', 'used', 'input', 'output', 'prompt', 'completion'].includes(before);
  return false;
}

/** `passwords`, `apiKeys`, `tokens`: a list of secrets, or a map of names to secrets. */
export function isSecretList(name: string): boolean {
  return (
    /(?:passwords|tokens|api_?keys|credentials|secrets)$/i.test(name) && nameWords(name).at(-2) !== 'pull'
  );
}

/** Annotations whose value is the name or the digest of a Secret. */
const NAMES_A_SECRET =
  /initial[_-]?cluster[_-]?token|(?:^|\.)ingress\.kubernetes\.io\/(?!.*(?:password|passwd|token)$)|^(?:checksum|digest|sha256|hash)\//i;

/** A `key` without an owner that is known holds a secret if its value looks random. */
export function isRandomKey(name: string, value: string): boolean {
  if (!/(?:key|encrypt|seed|key_?secret)$/i.test(name)) return false;
  const words = nameWords(name);
  // `accessKeySecret` names a Secret or is one: its value decides.
  if (words.at(-1) === 'secret') return isRandom(value);
  const owner = (words.at(-1) ?? '').replace(/key$/, '') || (words.at(-2) ?? '');
  const isOwned = words.length > 1 && /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value);
  if (!isRandom(value) && !isOwned && !/^[\da-f]{32,}$/i.test(value)) return false;
  return /^(?:[a-z]{0,8}key|encrypt|seed)$/.test(words.at(-1) ?? '') && !PUBLIC_KEY_OWNERS.has(owner);
}

/** A way to sign in, as in `SMTP_AUTH=plain`. */
const SIGN_IN_METHOD =
  /^(?:plain|login|basic|digest|bearer|ldaps?|oidc|oauth2?|saml2?|jwt|kerberos|ntlm|cram-md5|(?:scram-)?sha-?\d*|iam|irsa|token|password|passwordless|none|anonymous|internal|external|local|tls|mtls|x509|certificate|github|gitlab|google|azure(?:ad)?|okta|userpass|approle|kubernetes|aws|gcp|workload-?identity|trust|reject|peer|md5|sspi|negotiate|key|apikey|api-key)$/i;

/**
 * `secretKey: password` gives the name of a key, `SMTP_AUTH=plain` a method: under a name that can hold a secret stands
 * something public.
 */
export function isPublicValue(name: string, value: string): boolean {
  // A file of users, as /etc/passwd.
  if (/^[\w-]+:[x*!]?:\d+:\d+:/.test(value)) return true;
  if (value.length > 100) return false;
  const words = nameWords(name);
  // `GPG_KEY` of official images is the fingerprint of the key that signed a release.
  if (/^[\dA-F]{40}$/.test(value) && /^(?:gpg|pgp|signing|release)$/.test(words.at(-2) ?? '')) return true;
  const word = words.at(-1) ?? '';
  // `--secret=db-password` names a Secret.
  if (
    word === 'secret' &&
    /^[a-z]+(?:-[a-z]+)*-(?:password|token|credentials?|secret|tls|key|cert)$/.test(value)
  )
    return true;
  if (word === 'auth' || word === 'authorization') return SIGN_IN_METHOD.test(value);
  if (!/keys?$/.test(word) || !/^[a-z]+(?:[-_.][a-z]+)*$/.test(value)) return false;
  return words.length === 1 || value === 'username' || isSecretName(value, 'field');
}

// Objects have few distinct field names. The limit bounds names that are data, as in ConfigMaps.
const MAX_CACHED_NAMES = 10_000;
const caches: Record<NameContext, Map<string, boolean>> = {field: new Map(), setting: new Map()};

/** Whether a value under this name is a secret. The part after the last `/` counts, as in annotations. */
export function isSecretName(name: string, context: NameContext): boolean {
  const cache = caches[context];
  let secret = cache.get(name);
  if (secret === undefined) {
    // A longer name cannot be one that a person chose, and splitting it would take long.
    secret =
      name.length <= 253 &&
      !NAMES_A_SECRET.test(name) &&
      decide(name.slice(name.lastIndexOf('/') + 1), context);
    if (cache.size >= MAX_CACHED_NAMES) cache.clear();
    cache.set(name, secret);
  }
  return secret;
}
