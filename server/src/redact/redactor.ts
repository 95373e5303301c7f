// Replaces the secrets in an object before any other code sees it, so that a change of a secret stays visible.
import {createHmac, randomBytes} from 'node:crypto';
import {deepCopy, setField} from '@krtscope/shared/json/deep-copy.ts';
import {hideFindings, type RedactionPolicy} from './redaction-policy.ts';
import {SKIPPED} from './skipped-fields.ts';
import {hideFlags, hideWord, secretPlaces} from './text/command-line.ts';
import {isJwkSecret, isOpaque, isOpaqueSetting, isUserAndPassword} from './text/opaque-value.ts';
import {isPublicValue, isRandomKey, isSecretList, isSecretName} from './text/secret-names.ts';
import {hideInText} from './text/secret-text.ts';
import {isReference} from './text/secret-value.ts';

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** A ConfigMap of such a name holds what should be a Secret. */
export const SECRET_MAP = /(?:^|[.-])(?:secret|credential|password)s?(?:$|[.-])/;
/** Values of a Secret that are public: certificates, not keys. */
const PUBLIC_DATA = new Set(['tls.crt', 'ca.crt']);
const CERTIFICATE = /^\s*-----BEGIN CERTIFICATE-----/;
/** The fields that hold a secret in the place of a reference to one. */
const INLINE_VALUES = ['value', 'plain', 'plaintext', 'plainText', 'inline', 'literal', 'raw', 'stringValue'];

/** Kubernetes fills the skipped fields with single words; another tool may write a text there. */
const SENTENCE = /[\s=]|:\/\//;
/** Lists of other names hold parts of a command as well: `extraArgs`, `options`. */
const isFlag = (word: unknown) => typeof word === 'string' && /^--?[A-Za-z]/.test(word);

type RedactableObject = Record<string, unknown>;
type RedactableNode = RedactableObject | unknown[];
const isObject = (value: unknown): value is RedactableObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Redacts a fresh object in place and returns it. Items of a list have no kind, so the caller gives it. `last` is the
 * redacted last version of the object: a part that is the same object in both is not looked at, and stays as it is.
 */
export type Redact = <T>(object: T, kind?: string, last?: unknown) => T;

/** Equal values get equal digests as long as the key is the same. A policy hides more than the rules do. */
export function makeRedactor(hashKey: Buffer = randomBytes(32), policy?: RedactionPolicy): Redact {
  const hide = (value: unknown) =>
    `redacted:${createHmac('sha256', hashKey).update(textOf(value)).digest('hex').slice(0, 8)}`;
  let hidden: string[] = [];
  const hideAndNote = (value: unknown) => {
    hidden.push(textOf(value));
    return hide(value);
  };
  const walker = new SecretWalker(policy === undefined ? hide : hideAndNote);
  return (given, listed, last) => {
    if (!isObject(given)) return given;
    const kind = (given as RedactableObject).kind ?? listed;
    // Rules for these kinds look at parts from above, and a policy at the whole object. What is shared must not change.
    const isShared = last !== undefined && policy === undefined && kind !== 'Secret' && kind !== 'ConfigMap';
    const object = last === undefined || isShared ? given : deepCopy(given);
    hidden = [];
    const findings = policy?.find(object, kind);
    if (kind === 'Secret' && object.kind === undefined) walker.hideSecret(object as RedactableObject);
    if (kind === 'ConfigMap') walker.hideMap(object as RedactableObject);
    walker.hideInside(object as RedactableObject, isShared ? last : undefined);
    if (findings !== undefined) hideFindings(findings, hidden, hide);
    return object;
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Nodes to look at, each with the same part of the last version. */
class OpenNodes {
  readonly #nodes: RedactableNode[] = [];
  readonly #lasts: (RedactableNode | undefined)[] = [];
  /** The last version of the node that was taken last. */
  last: RedactableNode | undefined;

  add(node: RedactableNode, last: unknown): void {
    this.#nodes.push(node);
    this.#lasts.push(typeof last === 'object' && last !== null ? (last as RedactableNode) : undefined);
  }

  next(): RedactableNode | undefined {
    this.last = this.#lasts.pop();
    return this.#nodes.pop();
  }
}

/** Takes the parts of an object out of what it shares with others. */
function copyParts(object: RedactableObject): void {
  for (const name of Object.keys(object)) setField(object, name, deepCopy(object[name]));
}

class SecretWalker {
  readonly #hide: (value: unknown) => string;

  constructor(hide: (value: unknown) => string) {
    this.#hide = hide;
  }

  hideSecret(object: RedactableObject): void {
    this.#hideAll(object.data, true);
    this.#hideAll(object.stringData, false);
    if (!isObject(object.metadata) || !isObject(object.metadata.annotations)) return;
    // Other tools keep a second copy of the object in an annotation, as kubectl does.
    const {annotations} = object.metadata;
    for (const [name, value] of Object.entries(annotations))
      if (typeof value === 'string' && value.startsWith('{')) annotations[name] = this.#hide(value);
  }

  hideMap(object: RedactableObject): void {
    const named = isObject(object.metadata) && SECRET_MAP.test(String(object.metadata.name));
    for (const map of [object.data, object.binaryData]) {
      if (named) this.#hideAll(map, false);
      else if (isObject(map)) this.#hideSettings(map, true);
    }
  }

  /** Walks with a list instead of recursion: an object may be nested deeper than the stack. */
  hideInside(object: RedactableObject, last?: unknown): void {
    const {metadata} = object;
    const name = isObject(metadata) ? metadata.name : undefined;
    const open = new OpenNodes();
    open.add(object, last);
    for (let node = open.next(); node !== undefined; node = open.next()) this.#hideIn(node, open.last, open);
    // krtscope finds the object by its name.
    if (isObject(metadata) && name !== undefined && metadata.name !== name) metadata.name = name;
  }

  #hideIn(node: RedactableNode, last: RedactableNode | undefined, open: OpenNodes): void {
    if ('value' in node) this.#hidePair(node as RedactableObject);
    let before = last as RedactableObject | undefined;
    if ((node as RedactableObject).kind === 'Secret') {
      if (before !== undefined) copyParts(node as RedactableObject);
      before = undefined;
      this.hideSecret(node as RedactableObject);
    }
    for (const name of Object.keys(node)) {
      const value = (node as RedactableObject)[name];
      const part = before?.[name];
      // Equal parts under the same name were redacted by the same rules.
      if (part === value && typeof value === 'object') continue;
      if (
        SKIPPED.has(name) &&
        ((typeof value === 'string' && !SENTENCE.test(value)) ||
          name === 'managedFields' ||
          name === 'encryptedData')
      )
        continue;
      if (typeof value === 'string') {
        const hidden = isJwkSecret(node, name)
          ? this.#hide(value)
          : this.#hideString(name, value, 'secretName' in node);
        if (hidden !== value) (node as RedactableObject)[name] = hidden;
      } else if (name === 'annotations' && isObject(value)) {
        delete value[LAST_APPLIED];
        this.#hideSettings(value);
      } else if (Array.isArray(value)) {
        if (name === 'env' || name === 'httpHeaders') this.#hideVariables(value, part);
        else if (isSecretList(name)) this.#hideList(name, value);
        if (name === 'command' || name === 'args' || value.some(isFlag)) this.#hideCommand(value);
        open.add(value, part);
      } else if (isObject(value)) {
        if (isSecretList(name)) this.#hideList(name, value);
        else if (isSecretName(name, 'field')) this.#hideInline(value);
        open.add(value, part);
      }
    }
  }

  /** `password: {value: x}`, beside `password: {secretKeyRef: …}`. */
  #hideInline(node: RedactableObject): void {
    for (const name of INLINE_VALUES) {
      const value = node[name];
      if (typeof value === 'string' && value !== '' && !isReference(value)) node[name] = this.#hide(value);
    }
  }

  /** `passwords: [a, b]` and `tokens: {alice: a}`. Plain words may be names of Secrets, so only passwords may be such. */
  #hideList(name: string, list: RedactableObject | unknown[]): void {
    const isPassword = /pass(?:word)?s?$/i.test(name);
    const isSingular = !/s$/i.test(name);
    for (const [place, value] of Object.entries(list))
      if (
        typeof value === 'string' &&
        (isPassword ||
          isOpaque(value) ||
          isUserAndPassword(name, value) ||
          (isSingular && /\d/.test(value))) &&
        !isReference(value)
      )
        (list as RedactableObject)[place] = this.#hide(value);
  }

  #hideString(name: string, value: string, isRef = false): string {
    if (value === '') return value;
    if (
      (isSecretName(name, 'field') || isRandomKey(name, value) || isUserAndPassword(name, value)) &&
      !(isRef && /^[a-z][a-z._-]*$/.test(value)) &&
      !isReference(value) &&
      !isPublicValue(name, value)
    )
      return this.#hide(value);
    return hideInText(value, this.#hide);
  }

  #hideAll(map: unknown, encoded: boolean): void {
    if (!isObject(map)) return;
    for (const [name, value] of Object.entries(map)) {
      if (PUBLIC_DATA.has(name) && typeof value === 'string') {
        const text = encoded ? Buffer.from(value, 'base64').toString('latin1') : value;
        if (CERTIFICATE.test(text) && !text.includes('PRIVATE KEY')) continue;
      }
      map[name] = this.#hide(value);
    }
  }

  #hideSettings(map: RedactableObject, isShortList = false): void {
    for (const [name, value] of Object.entries(map)) {
      if (typeof value !== 'string' || value === '') continue;
      const secret =
        (isSecretName(name, 'setting') ||
          isOpaqueSetting(name, value, isShortList) ||
          isUserAndPassword(name, value)) &&
        !isReference(value) &&
        !isPublicValue(name, value) &&
        !value.includes('\n');
      map[name] = secret ? this.#hide(value) : hideInText(value, this.#hide);
    }
  }

  /** `{name: auth.password, value: x}`. A toleration and a selector have an operator, and compare with names. */
  #hidePair(pair: RedactableObject): void {
    const {value} = pair;
    const name = pair.name ?? pair.key;
    if (typeof name !== 'string' || typeof value !== 'string' || value === '') return;
    if ('operator' in pair || 'effect' in pair) return;
    if (
      (isSecretName(name, 'field') || isOpaqueSetting(name, value)) &&
      !isReference(value) &&
      !isPublicValue(name, value)
    )
      pair.value = this.#hide(value);
  }

  #hideVariables(variables: readonly unknown[], last: unknown): void {
    const before: readonly unknown[] = Array.isArray(last) ? last : [];
    for (const [place, one] of variables.entries()) if (one !== before[place]) this.#hideVariable(one);
  }

  #hideVariable(variable: unknown): void {
    if (!isObject(variable) || variable.value === undefined || variable.value === '') return;
    const {value} = variable;
    const text = typeof value === 'string' ? value : '';
    const name = String(variable.name);
    if (
      (isSecretName(name, 'setting') || isOpaqueSetting(name, text, true) || isUserAndPassword(name, text)) &&
      !isReference(text === '' ? String(value) : text) &&
      !isPublicValue(name, text)
    )
      variable.value = this.#hide(value);
    else if (text !== '') variable.value = hideInText(text, this.#hide);
  }

  #hideCommand(words: unknown[]): void {
    const line = words.filter(word => typeof word === 'string').join(' ');
    const places = secretPlaces(line);
    let before = '';
    let from = 0;
    for (const [at, word] of words.entries()) {
      if (typeof word !== 'string') continue;
      const to = from + word.length;
      const place = places.find(one => one.from >= from && one.to <= to);
      words[at] =
        (place &&
          word.slice(0, place.from - from) +
            this.#hide(line.slice(place.from, place.to)) +
            line.slice(place.to, to)) ??
        hideWord(word, before, line, this.#hide) ??
        hideInText(hideFlags(word, this.#hide), this.#hide);
      before = word;
      from = to + 1;
    }
  }
}
