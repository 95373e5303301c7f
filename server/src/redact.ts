// Takes secrets out of objects before anything else sees them, in a way that keeps a change visible.
import {createHmac, randomBytes} from 'node:crypto';

// Each begins where a word does: begun at every letter of a long word, it would read the rest of it that often.
const SECRET_NAME = /token|secret|pass|pwd|key|credential|auth|dsn|cookie/i;
/** A field, an annotation or a file of a ConfigMap that is a secret by its whole name: in `secretName` stands none. */
const SECRET_FIELD =
  /^(?:[\w.-]*(?:passw(?:or)?d|passphrase)|(?:[\w.-]*(?:api|auth|access|bearer|refresh|secret|session)[_-]?)?token|pass|pwd|(?:private|api)[_-]?key|(?:secret[_-]?)?access[_-]?key|client[_-]?secret)$/i;
/** A ConfigMap of such a name holds what should have been a Secret. */
const SECRET_MAP = /(?:^|[.-])(?:secret|credential|password)s?(?:$|[.-])/;
/** A flag with such a name, alone or with its value, in a command line of any number of words. */
const FLAG =
  /(^|[\s"'])(--?(?=[\w.-]*(?:token|secret|pass|pwd|key|credential|auth|dsn))[\w.-]+)(=|\s+)("[^"]*"|'[^']*'|[^\s"']+)/gi;
const FLAG_ALONE = /(?:^|[\s"'])--?(?=[\w.-]*(?:token|secret|pass|pwd|key|credential|auth|dsn))[\w.-]+$/i;
/**
 * The password of scheme://user:password@host; it may have an @ of its own. It ends before the first / ? or #, where people
 * encode those; where they do not, an @ has to come later, and before it no port.
 */
const URL_PASSWORD =
  /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/?#@]*):(?:([^\s/?#]+)|(?!\d{1,5}[?#])([^\s/]+))@/gi;
/** A token in the user's place: scheme://token@host. No user has so long a name. */
const URL_TOKEN = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/)([\w.~-]{16,})(?=@)/gi;
/** `password=…` in the middle of a text, unless it says where the secret comes from. */
const ASSIGNED =
  /((?<![\w.-])[\w.-]*(?:token|secret|passw(?:or)?d|(?<![a-z])pass|pwd|credential|(?:api|access|private|account|[_-])[_-]?key|(?<![a-z])sig|signature)=)(?!\$|redacted:)("[^"]*"|'[^']*'|[^\s&;,"']+)/gi;
/** The same as JSON, YAML and headers write it: `"password": "…"`, `password: …`. */
const NAMED =
  /((?<![\w.-])[\w.-]*(?:passw(?:or)?d|passphrase|token|client[_-]?secret|(?:api|access|private)[_-]?key|"auth)["']?[ \t]*:[ \t]*)(?![\s$|>{[&*]|redacted:)("(?:[^"\\]|\\.)+"|'[^']+'|[^\s,;"'}\]]+)/gi;
/** What an Authorization header carries. */
const BEARER = /\b((?:bearer|basic)\s+)([\w.~+/=-]{8,})/gi;
/** The password of `curl -u user:password`, which may be two words of a command. */
const USER = /((?:^|\s)(?:-u|--user)(?:=|\s+)[^\s:]+:)(?!\$|redacted:)(\S+)/g;
const USER_ALONE = /(?:^|\s)(?:-u|--user)$/;
const USER_VALUE = /^([^\s:]+:)(?!\$|redacted:)(\S+)$/;
interface SecretFlagLetter {
  readonly of: RegExp;
  readonly flag: RegExp;
  /** The flag where its value is the next word. */
  readonly alone: string;
}
/** Programs whose flags for passwords are letters. */
const LETTERS: readonly SecretFlagLetter[] = [
  {of: /\b(?:mysql|mariadb)/, flag: /((?:^|\s)-p)(?!\$|redacted:)([^\s-]\S*)/g, alone: ''},
  {of: /\bredis-cli\b/, flag: /((?:^|\s)-a\s+)(?!\$|redacted:)(\S+)/g, alone: '-a'},
];
/** What is a secret by its shape, wherever it stands: private keys, JSON web tokens, tokens that say whose they are. */
const SHAPED =
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,20}PRIVATE KEY-----|$)|(?<![\w-])(?:eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|sk_live_)[\w-]{16,})/g;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

type RedactableObject = Record<string, unknown>;
const isObject = (value: unknown): value is RedactableObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A function that redacts a fresh object in place and gives it back. The key of the hash lives as long as the
 * function: equal values look equal within one run of krtscope and tell nothing across two.
 */
export function makeRedactor(hashKey: Buffer = randomBytes(32)): <T>(object: T, kind?: string) => T {
  const hide = (value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `redacted:${createHmac('sha256', hashKey).update(text).digest('hex').slice(0, 8)}`;
  };
  const hideAll = (map: unknown) => {
    if (isObject(map)) for (const name of Object.keys(map)) map[name] = hide(map[name]);
  };
  const hideSecond = (_: string, before: string, secret: string) => `${before}${hide(secret)}`;
  const hideAssigned = (text: string): string =>
    text.includes('=') ? text.replace(ASSIGNED, hideSecond) : text;
  const hideAddresses = (text: string): string =>
    text.includes('://')
      ? text
          .replace(
            URL_PASSWORD,
            (_, before: string, plain?: string, odd?: string) => `${before}:${hide(plain ?? odd)}@`,
          )
          .replace(URL_TOKEN, hideSecond)
      : text;
  const hideNamed = (text: string): string =>
    text.includes(':')
      ? text.replace(NAMED, (_, before: string, value: string) => {
          const quote = value.startsWith('"') || value.startsWith("'") ? value.charAt(0) : '';
          return `${before}${quote}${hide(quote === '' ? value : value.slice(1, -1))}${quote}`;
        })
      : text;
  /** Everything that a text of the user's own may hold. */
  const hideInText = (text: string): string =>
    hideNamed(hideAssigned(hideAddresses(text.replace(SHAPED, hide)))).replace(BEARER, hideSecond);
  const hideTexts = (map: RedactableObject) => {
    for (const [name, value] of Object.entries(map)) {
      if (typeof value !== 'string' || value === '') continue;
      map[name] = isSecretField(name.slice(name.lastIndexOf('/') + 1)) ? hide(value) : hideInText(value);
    }
  };
  // Pods stand inside other objects, as templates: with their variables, and their annotations. Not by calling itself: an
  // object may be nested deeper than the stack, and the source that it is in would never be read.
  const hideInside = (object: RedactableObject): void => {
    const open: (RedactableObject | unknown[])[] = [object];
    for (let node = open.pop(); node !== undefined; node = open.pop()) hideIn(node, open);
  };
  const hideIn = (node: RedactableObject | unknown[], open: (RedactableObject | unknown[])[]): void => {
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === 'string') {
        const hidden = hideString(name, value);
        if (hidden !== value) (node as RedactableObject)[name] = hidden;
      } else if (name === 'annotations' && isObject(value)) {
        delete value[LAST_APPLIED];
        hideTexts(value);
      } else if (Array.isArray(value)) {
        if (name === 'env' || name === 'httpHeaders') value.forEach(hideVariable);
        if (name === 'command' || name === 'args') hideFlags(value);
        open.push(value);
      } else if (isObject(value)) open.push(value);
    }
  };
  const hideString = (name: string, value: string): string => {
    if (value === '') return value;
    if (isSecretField(name)) return hide(value);
    if (name === 'message') return hideInText(value);
    if (value.includes('://')) return hideAssigned(hideAddresses(value));
    return name === 'path' ? hideAssigned(value) : value;
  };
  const hideVariable = (variable: unknown) => {
    if (!isObject(variable) || variable.value === undefined || variable.value === '') return;
    if (SECRET_NAME.test(String(variable.name))) variable.value = hide(variable.value);
    else if (typeof variable.value === 'string') variable.value = hideInText(variable.value);
  };
  const hideFlag = (word: string): string =>
    word.replace(FLAG, (_, edge: string, flag: string, between: string, value: string) =>
      between !== '=' && value.startsWith('-')
        ? `${edge}${flag}${between}${value}`
        : `${edge}${flag}${between}${hide(value)}`,
    );
  const hideFlags = (words: unknown[]) => {
    const line = words.join(' ');
    const letters = LETTERS.filter(({of}) => of.test(line));
    let before = '';
    for (const [at, word] of words.entries()) {
      if (typeof word !== 'string') continue;
      words[at] = hideWord(word, before, letters);
      before = word;
    }
  };
  const hideWord = (word: string, before: string, letters: readonly SecretFlagLetter[]): string => {
    if (FLAG_ALONE.test(before) && !word.startsWith('-')) return hide(word);
    if (USER_ALONE.test(before)) return word.replace(USER_VALUE, hideSecond);
    let text = hideInText(hideFlag(word)).replace(USER, hideSecond);
    for (const {flag, alone} of letters) {
      if (alone !== '' && before === alone && !word.startsWith('$')) return hide(word);
      text = text.replace(flag, hideSecond);
    }
    return text;
  };
  // What other tools keep of the object: a second copy of it, as kubectl's.
  const hideCopies = (annotations: unknown) => {
    if (!isObject(annotations)) return;
    for (const [name, value] of Object.entries(annotations))
      if (typeof value === 'string' && value.startsWith('{')) annotations[name] = hide(value);
  };
  const hideSecret = (object: RedactableObject) => {
    hideAll(object.data);
    hideAll(object.stringData);
    if (isObject(object.metadata)) hideCopies(object.metadata.annotations);
  };
  const hideMap = (object: RedactableObject) => {
    const named = isObject(object.metadata) && SECRET_MAP.test(String(object.metadata.name));
    for (const map of [object.data, object.binaryData]) {
      if (named) hideAll(map);
      else if (isObject(map)) hideTexts(map);
    }
  };
  // Items of a list carry no kind of their own, so the caller says it.
  return (object, listed) => {
    if (!isObject(object)) return object;
    const kind = (object as RedactableObject).kind ?? listed;
    if (kind === 'Secret') hideSecret(object as RedactableObject);
    if (kind === 'ConfigMap') hideMap(object as RedactableObject);
    hideInside(object as RedactableObject);
    return object;
  };
}

// There are few names and many fields: each is read letter by letter once. Names that are data may be without end.
const secretFieldCache = new Map<string, boolean>();

function isSecretField(name: string): boolean {
  let secret = secretFieldCache.get(name);
  if (secret === undefined) {
    secret = SECRET_FIELD.test(name);
    if (secretFieldCache.size >= 10_000) secretFieldCache.clear();
    secretFieldCache.set(name, secret);
  }
  return secret;
}
