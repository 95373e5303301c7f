// Finds secrets in XML, in JSON inside strings, and in pairs of a name and a value that stand beside each other.
import {isSecretInText} from './assigned-value.ts';
import {isOpaque} from './opaque-value.ts';
import {isSecretList, isSecretName} from './secret-names.ts';
import {type HideSecret, isReference} from './secret-value.ts';

const ELEMENT =
  /<([A-Za-z_][\w:.-]{0,99})((?:\s[^<>]{0,200})?)>(<!\[CDATA\[[^\]]{1,4000}\]\]>|[^<>]{1,4000})<\/\1>/g;
/** `name="db.password" value="x"`, as attributes of XML and members of JSON. */
const NAMED_VALUE =
  /((?:name|key)["']?\s*[:=]\s*["']([\w./-]{1,100})["'][\s,]{1,20}["']?value["']?\s*[:=]\s*)(["'])((?:[^"'\\\n]|\\.){1,4000})\3/gi;
/** `value="x" name="db.password"`: the same in the other order. */
const VALUE_NAMED =
  /(\bvalue["']?\s*[:=]\s*)(["'])((?:[^"'\\\n]|\\.){1,4000})\2(?=[\s,]{1,20}["']?(?:name|key)["']?\s*[:=]\s*["']([\w./-]{1,100})["'])/gi;
/** `- value: x` and, in the next line, `name: DB_PASSWORD`. */
const YAML_VALUE_NAMED =
  /(\bvalue:[ \t]*)(["']?)([^\s"'{[|>&*][^\n"']{0,4000})\2(?=[ \t]*\n[ \t]*(?:name|key):[ \t]*["']?([\w./-]{1,100})["']?[ \t]*(?:\n|$))/g;
/** `"password": {"value": "x"}`. */
const NESTED_MEMBER =
  /(["']?\b([\w./-]{1,100})["']?\s*[:=]\s*\{?\s*["']?(?:value|plain|plaintext|inline|literal|raw|string|text)["']?\s*[:=]\s*)(["'])((?:[^"'\\\n]|\\.){1,4000})\3/gi;
/** `"passwords": ["x", "y"]`. */
const LISTED_MEMBER =
  /(["']([\w./-]{1,100})["']\s*:\s*\[\s*)((?:"(?:[^"\\\n]|\\.){1,4000}"(?:\s*,\s*|\s*(?=\]))){1,100})(?=\])/g;
/** `- name: DB_PASSWORD` and, in the next line, `value: x`. */
const YAML_PAIR =
  /((?:name|key):[ \t]*["']?([\w./-]{1,100})["']?[ \t]*\n[ \t]*value:[ \t]*)(["']?)([^\s"'{[|>&*][^\n"']{0,4000})\3/g;
/** `<key>Password</key><string>x</string>` of a plist, `<name>…</name><value>…</value>` of Hadoop. */
const ELEMENT_PAIR =
  /(<([\w-]{0,20}(?:key|name))>\s*([\w./-]{1,100})\s*<\/\2>\s*<([A-Za-z][\w-]{0,30})>)([^<>]{1,4000})(?=<\/\4>)/gi;
/** `<property name="password"><value>x</value>`. */
const NESTED_VALUE =
  /(<\w{1,30} (?:name|key|id)=["']([\w./-]{1,100})["']\s*>\s*<(\w{1,30})>)([^<>]{1,4000})(?=<\/\3>)/g;
/** `["--db-password", "x"]`: the words of a command as a list. */
const LISTED_FLAG = /(["']--?([A-Za-z][\w.-]{1,99})["']\s*,\s*)(["'])([^"'\n-][^"'\n]{0,4000})\3/g;
/** `ENV["DB_PASSWORD"] = "x"`. */
const MEMBER = /(\[\s*["']([\w./-]{1,100})["']\s*\]\s*(?:=>|\|\|=|=)\s*)(["'])([^"'\n]{1,4000})\3/g;
/** `\"password\":\"x\"`: JSON in a string of JSON, at any depth. */
const ESCAPED =
  /((?<!\\)(\\{1,7}["'])(?=[\w./-]{0,99}(?:pass|pwd|pw|secret|token|key|cred|auth|dsn|cookie|mnemonic|otp|pin|psk|salt|conn|seed))([A-Za-z_][\w./-]{0,99})\2\s*[:=]\s*\2)((?:(?!\2)[^\n]){1,4000})(?=\2)/gi;

/** `"d": "…"` of a JSON web key in a text. */
const JWK_MEMBER = /("(?:d|p|q|dp|dq|qi|k)"\s*:\s*")([\w-]{16,})(?=")/g;
/** `{default_pass, <<"x">>}` of Erlang. */
const ERLANG_PAIR = /(\{\s*([A-Za-z][\w]{0,99})\s*,\s*(?:<<)?)(")([^"\n]{1,4000})"/g;

/** Elements and attributes of XML, and pairs of a name and a value that stand beside each other. */
export function hideMarkup(text: string, hide: HideSecret): string {
  let result = text;
  if (result.includes('</'))
    result = result.replace(ELEMENT, (all, tag: string, attributes: string, value: string) => {
      const name = /\b(?:name|key|id)=["']([\w./-]+)["']/.exec(attributes)?.[1] ?? tag;
      const inside = /^<!\[CDATA\[([^\]]+)/.exec(value)?.[1] ?? value;
      return isSecretInText(name, inside) && !isReference(inside.trim())
        ? `<${tag}${attributes}>${value.replace(inside, () => hide(inside))}</${tag}>`
        : all;
    });
  result = result.replace(ESCAPED, (all, before: string, _: string, name: string, value: string) =>
    isSecretInText(name, value) && !isReference(value) ? `${before}${hide(value)}` : all,
  );
  const hideNamed = (all: string, before: string, name: string, quote: string, value: string) =>
    isSecretName(name, 'setting') && !isReference(value) ? `${before}${quote}${hide(value)}${quote}` : all;
  const hideBeforeName = (all: string, before: string, quote: string, value: string, name: string) =>
    isSecretName(name, 'setting') && !isReference(value) ? `${before}${quote}${hide(value)}${quote}` : all;
  if (/value["']?\s*[:=]/i.test(result))
    result = result
      .replace(NAMED_VALUE, hideNamed)
      .replace(YAML_PAIR, hideNamed)
      .replace(VALUE_NAMED, hideBeforeName)
      .replace(YAML_VALUE_NAMED, hideBeforeName);
  if (/\b(?:value|plain|plaintext|inline|literal|raw|string|text)["']?\s*[:=]/i.test(result))
    result = result.replace(
      NESTED_MEMBER,
      (all, before: string, name: string, quote: string, value: string) =>
        isSecretName(name, 'field') && !isReference(value) ? `${before}${quote}${hide(value)}${quote}` : all,
    );
  if (result.includes('['))
    result = result.replace(LISTED_MEMBER, (all, before: string, name: string, list: string) => {
      if (!isSecretList(name) && !isSecretName(name, 'field')) return all;
      const isPassword = /pass(?:word)?s?$/i.test(name);
      const isSingular = !/s$/i.test(name);
      return `${before}${list.replace(/"((?:[^"\\]|\\.)+)"/g, (text, value: string) =>
        (isPassword || isOpaque(value) || (isSingular && /\d/.test(value))) && !isReference(value)
          ? `"${hide(value)}"`
          : text,
      )}`;
    });
  if (result.includes('</'))
    result = result.replace(
      ELEMENT_PAIR,
      (all, before: string, _: string, name: string, __: string, value: string) =>
        isSecretName(name, 'setting') && !isReference(value.trim()) ? `${before}${hide(value)}` : all,
    );
  if (result.includes('</'))
    result = result.replace(NESTED_VALUE, (all, before: string, name: string, _: string, value: string) =>
      isSecretName(name, 'setting') && !isReference(value.trim()) ? `${before}${hide(value)}` : all,
    );
  if (result.includes('"kty"'))
    result = result.replace(JWK_MEMBER, (_, before: string, value: string) => `${before}${hide(value)}`);
  if (result.includes('{')) result = result.replace(ERLANG_PAIR, hideNamed);
  if (result.includes(']')) result = result.replace(LISTED_FLAG, hideNamed);
  if (result.includes(']')) result = result.replace(MEMBER, hideNamed);
  return result;
}
