// Takes secrets out of objects before anything else sees them, in a way that keeps a change visible.
import {createHmac, randomBytes} from 'node:crypto';

// Each begins where a word does: begun at every letter of a long word, it would read the rest of it that often.
const SECRET_NAME = /token|secret|pass|pwd|key|credential|auth|dsn/i;
/** A flag with such a name, alone or with its value, in a command line of any number of words. */
const FLAG =
  /(^|[\s"'])(--?(?=[\w.-]*(?:token|secret|pass|pwd|key|credential|auth|dsn))[\w.-]+)(=|\s+)("[^"]*"|'[^']*'|[^\s"']+)/gi;
const FLAG_ALONE = /(?:^|[\s"'])--?(?=[\w.-]*(?:token|secret|pass|pwd|key|credential|auth|dsn))[\w.-]+$/i;
/** The password of scheme://user:password@host. */
const URL_PASSWORD = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/@]*):([^\s/@]+)@/gi;
/** `password=…` in the middle of a text, unless it says where the secret comes from. */
const ASSIGNED =
  /((?<![\w.-])[\w.-]*(?:token|secret|passw(?:or)?d|pwd|credential|(?:api|access|private)[_-]?key)=)(?!\$|redacted:)("[^"]*"|'[^']*'|[^\s&;,"']+)/gi;
/** What an Authorization header carries. */
const BEARER = /\b((?:bearer|basic)\s+)([\w.~+/=-]{8,})/gi;
/** The password of `curl -u user:password`. */
const USER = /((?:^|\s)(?:-u|--user)(?:=|\s+)[^\s:]+:)(?!\$|redacted:)(\S+)/g;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
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
  const hidePasswords = (text: string): string =>
    hideAssigned(
      text.replace(URL_PASSWORD, (_, before: string, password: string) => `${before}:${hide(password)}@`),
    );
  const hideAssigned = (text: string): string =>
    text.includes('=') ? text.replace(ASSIGNED, hideSecond) : text;
  const hideInText = (text: string): string => hideAssigned(text).replace(BEARER, hideSecond);
  // Pods stand inside other objects, as templates: with their variables, and their annotations.
  const hideInside = (node: Json | unknown[]): void => {
    for (const [name, value] of Object.entries(node)) {
      const at = name as keyof typeof node;
      if (typeof value === 'string') {
        if (value.includes('://')) (node as Json)[at] = hidePasswords(value);
        else if (name === 'path') (node as Json)[at] = hideAssigned(value);
      } else if (name === 'annotations' && isObject(value)) {
        delete value[LAST_APPLIED];
        hideInside(value);
      } else if (Array.isArray(value)) {
        if (name === 'env' || name === 'httpHeaders') value.forEach(hideVariable);
        if (name === 'command' || name === 'args') hideFlags(value);
        hideInside(value);
      } else if (isObject(value)) hideInside(value);
    }
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
    for (const [at, word] of words.entries()) {
      if (typeof word !== 'string') continue;
      const before = words[at - 1];
      const isValue = typeof before === 'string' && FLAG_ALONE.test(before) && !word.startsWith('-');
      words[at] = isValue ? hide(word) : hideInText(hideFlag(word)).replace(USER, hideSecond);
    }
  };
  // Items of a list carry no kind of their own, so the caller says it.
  return (object, listed) => {
    if (!isObject(object)) return object;
    if ((object as Json).kind === 'Secret' || ((object as Json).kind === undefined && listed === 'Secret')) {
      hideAll((object as Json).data);
      hideAll((object as Json).stringData);
    }
    hideInside(object as Json);
    return object;
  };
}
