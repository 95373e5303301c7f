// Decides whether a value that a text assigns to a name is a secret, and hides it.
import {isOpaque} from './opaque-value.ts';
import {isPublicValue, isRandomKey, isSecretName} from './secret-names.ts';
import {type HideSecret, isCode, isLabel, isProse, isReference} from './secret-value.ts';

const ENV_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Words that name a secret in a text, although not in every object's field. */
const TEXT_NAME = /(?:^|[._-])(?:authorization|x-auth|dsn|cookie|sig|signature|_auth|salt|honeycomb-team)$/i;
/** In a registry's settings the value is base64 of user:password. */
const REGISTRY_AUTH = /^(?=.*[A-Z\d=])[A-Za-z0-9+/]{6,}={0,2}$/;

/** The value of a header begins with one of these words, and the secret follows. */
const SCHEME = /^(?:bearer|basic|digest|negotiate|token|apikey|ssws|geniekey|splunk)$/i;

/** `secret_id` of Vault and `routing_key` of PagerDuty. The same words name other things, so the value decides. */
const KEY_ID = /^(?:secret_?id|routing_?key)$/i;

/** `input_token: NextToken` and `ACCESS_KEY = "AWS_ACCESS_KEY"` give the name of a secret. */
function isIdentifier(name: string, value: string): boolean {
  if (!/^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)+|[A-Z]+(?:_[A-Z]+)+)$/.test(value) || /pass|pwd/i.test(name))
    return false;
  return isSecretName(value, 'setting') || /(?:Value|_VALUE)$/.test(value);
}

export function isSecretInText(name: string, value: string, quoted = false): boolean {
  if (SCHEME.test(value.trim()) || isPublicValue(name, value)) return false;
  if (isIdentifier(name, value) || /^(?:0x[\da-f]{1,8}|#[\da-f]{3,8}|\W{0,2})$/i.test(value)) return false;
  if (isRandomKey(name, value)) return true;
  if (/^pw$/i.test(name)) return /^(?=.*\d)(?=.*[a-z])\S{6,}$/i.test(value);
  if (KEY_ID.test(name) && isOpaque(value)) return true;
  if (isSecretName(name, ENV_NAME.test(name) ? 'setting' : 'field'))
    return !/^\d{1,6}$/.test(value) || !/(?:s|key|cookie|salt)$/i.test(name);
  if (TEXT_NAME.test(name)) return value.length >= 6 && !isProse(value, '');
  if (
    /(?:^|\.)auth$/.test(name) &&
    value.length >= 12 &&
    /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=]+$/.test(value)
  )
    return true;
  return quoted && name === 'auth' && (REGISTRY_AUTH.test(value) || /^\S{6,}$/.test(value));
}

/** Hides a value and leaves its quotes, and what follows it, in place. */
export function hideValue(value: string, hide: HideSecret): string {
  const prefix = /^[bfru]{1,2}(?=["'])/i.exec(value)?.[0];
  if (prefix !== undefined) return `${prefix}${hideValue(value.slice(prefix.length), hide)}`;
  const tripled = /^('''|""")([\s\S]+?)\1/.exec(value);
  if (tripled !== null)
    return isReference(tripled[2] as string)
      ? value
      : `${tripled[1]}${hide(tripled[2] as string)}${value.slice((tripled[0] as string).length - 3)}`;
  const quote = value.charAt(0);
  if ((quote === '"' || quote === "'" || quote === '`') && value.length > 1) {
    const end = value.lastIndexOf(quote);
    const inside = end > 0 ? value.slice(1, end) : value.slice(1);
    if (inside === '' || isReference(inside) || isLabel(inside)) return value;
    return `${quote}${hide(inside)}${end > 0 ? value.slice(end) : ''}`;
  }
  return isReference(value) || isCode(value) || isLabel(value) ? value : hide(value);
}
