// Finds secrets that a text assigns to a name: ini, TOML, YAML, JSON, XML, properties, shell, netrc, pgpass, SQL, headers.
import {isSecretName} from './secret-names.ts';
import {type HideSecret, isProse, isReference, isStructure} from './secret-value.ts';

/** One pass that finds out whether the text has a word that can name a secret. */
const MAY_ASSIGN =
  /pass|pwd|secret|token|key|cred|auth|dsn|cookie|mnemonic|conn(?:ection)?[ _-]?str|pw|psk|\bpin\b|\botp\b|\bsig(?:nature)?=|identified|bindpw|rootpw|snmp/i;

/** A name at the start of a line, its separator, and the rest of the line. */
const LINE =
  /^([ \t]*(?:[-+*][ \t]+|export[ \t]+|set[ \t]+|setenv[ \t]+|ENV[ \t]+|ARG[ \t]+|SET[ \t]+|define\(|const[ \t]+|let[ \t]+|var[ \t]+)?["']?)([A-Za-z_][\w./-]{0,99})(["']?[ \t]*(?:=>|:=|=|:)[ \t]*)(\S.*)$/;
const BLOCK = /^([ \t]*)(?:-[ \t]+)?["']?([A-Za-z_][\w./-]{0,99})["']?[ \t]*:[ \t]*[|>][-+\d]*[ \t]*$/;
/** A name anywhere, its separator and a quoted or plain value. */
const INLINE =
  /(?<![\w.-])(["']?)(?=[\w./-]{0,99}(?:pass|pwd|pw|secret|token|key|cred|auth|dsn|cookie|sig|mnemonic|str|otp|pin|psk|salt))([A-Za-z_][\w./-]{0,99})\1([ \t]*(?:=>|:=|[=:])[ \t]*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s,;&"'`}\])<]+)/gi;
const ELEMENT = /<([A-Za-z_][\w:.-]{0,99})((?:\s[^<>]{0,200})?)>([^<>]{1,4000})<\/\1>/g;
/** `name="db.password" value="x"`, as attributes of XML and members of JSON. */
const NAMED_VALUE =
  /((?:name|key)["']?\s*[:=]\s*["']([\w./-]{1,100})["'][\s,]{1,20}["']?value["']?\s*[:=]\s*)(["'])((?:[^"'\\\n]|\\.){1,4000})\3/gi;
/** `- name: DB_PASSWORD` and, in the next line, `value: x`. */
const YAML_PAIR =
  /((?:name|key):[ \t]*["']?([\w./-]{1,100})["']?[ \t]*\n[ \t]*value:[ \t]*)(["']?)([^\s"'{[|>&*][^\n"']{0,4000})\3/g;
/** `define('DB_PASSWORD', 'x')`. */
const CALL =
  /(\b\w*(?:define|set\w*|put\w*|add\w*)\(\s*["']([\w./-]{1,100})["']\s*,\s*)(["'])([^"'\n]{1,4000})\3/gi;
/** Words of configuration languages that take the secret as their next word. */
const DIRECTIVE =
  /((?:^|[\s(])(?:requirepass|masterauth|sentinel[ \t]+auth-pass[ \t]+\S+|password|passwd|identified[ \t]+(?:with[ \t]+\S+[ \t]+)?by|bindpw|rootpw|neighbor[ \t]+\S+[ \t]+password|enable[ \t]+secret|snmp-server[ \t]+community|auth_pass|secret_key_base)[ \t]+(?:[0-9][ \t]+)?)("[^"\n]+"|'[^'\n]+'|[^\s"';,:=(){}]+)/gim;
const NETRC = /(\bmachine\s+\S+\s+(?:login\s+\S+\s+)?password\s+)(\S+)/g;
const PGPASS = /^([\w.*-]+:(?:\d{1,5}|\*):[^:\s]+:[^:\s]+:)(\S+)$/gm;
/** What an Authorization header carries. */
const AUTHORIZATION =
  /\b((?:bearer|basic|digest|token|negotiate|apikey)[ \t]+)([\w.~+/=-]{8,})(?![\w ]*[a-z] [a-z])/gi;

const ENV_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Words that name a secret in a text, although not in every object's field. */
const TEXT_NAME = /(?:^|[._-])(?:authorization|dsn|cookie|sig|signature|_auth|salt)$/i;
/** In a registry's settings the value is base64 of user:password. */
const REGISTRY_AUTH = /^(?=.*[A-Z\d=])[A-Za-z0-9+/]{6,}={0,2}$/;

/** The value of a header begins with one of these words, and the secret follows. */
const SCHEME = /^(?:bearer|basic|digest|negotiate|token|apikey)$/i;

function isSecretInText(name: string, value: string, quoted = false): boolean {
  if (SCHEME.test(value)) return false;
  if (isSecretName(name, ENV_NAME.test(name) ? 'setting' : 'field'))
    return !/^\d{1,6}$/.test(value) || !/s$/i.test(name);
  if (TEXT_NAME.test(name)) return value.length >= 6 && !isProse(value, '');
  return quoted && name === 'auth' && REGISTRY_AUTH.test(value);
}

/** Hides a value and leaves its quotes, and what follows it, in place. */
function hideValue(value: string, hide: HideSecret): string {
  const quote = value.charAt(0);
  if ((quote === '"' || quote === "'" || quote === '`') && value.length > 1) {
    const end = value.lastIndexOf(quote);
    const inside = end > 0 ? value.slice(1, end) : value.slice(1);
    if (inside === '' || isReference(inside)) return value;
    return `${quote}${hide(inside)}${end > 0 ? value.slice(end) : ''}`;
  }
  return isReference(value) ? value : hide(value);
}

/** The part of a line that is the value: up to a comment, or up to the next statement or parameter. */
function valuePart(separator: string, rest: string): string {
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/.exec(rest)?.[0];
  if (quoted !== undefined) return quoted;
  const uncommented = rest.replace(/\s+(?:#|\/\/).*$/, '').replace(/[,;]?\s*$/, '');
  const continues = /^[^\s;&,]+(?:[;&]|,\s*["']?\w+["']?\s*[:=]|[ \t]+(?:&&|\|\||--?\w|\w+=))/.test(
    uncommented,
  );
  if (separator.trim() === ':' ? /^[^\s,]+,\s*["']?\w+["']?\s*:/.test(uncommented) : continues)
    return /^[^\s,;&]+/.exec(uncommented)?.[0] ?? uncommented;
  return uncommented.replace(/[}\])]+$/, end =>
    uncommented.includes('{') || uncommented.includes('[') || uncommented.includes('(') ? end : '',
  );
}

function hideLine(line: string, hide: HideSecret): string {
  const found = LINE.exec(line);
  if (found === null) return line;
  const [, lead = '', name = '', separator = '', rest = ''] = found;
  const value = valuePart(separator, rest);
  const unquoted = value.replace(/^["']|["']$/g, '');
  if (!isSecretInText(name, unquoted, /["']$/.test(lead)) || isStructure(value)) return line;
  if (!/passw|passphrase|pwd/i.test(name) && isProse(value, '')) return line;
  return `${lead}${name}${separator}${hideValue(value, hide)}${rest.slice(value.length)}`;
}

/** Hides the lines below `password: |`, as long as they are indented more than it. */
function hideBlocks(lines: string[], hide: HideSecret): void {
  for (let at = 0; at < lines.length; at += 1) {
    const found = BLOCK.exec(lines[at] as string);
    if (found === null || !isSecretInText(found[2] as string, 'block')) continue;
    const indent = (found[1] as string).length;
    const first = at + 1;
    let end = first;
    while (
      end < lines.length &&
      (/^\s*$/.test(lines[end] as string) || /^\s*/.exec(lines[end] as string)![0].length > indent)
    )
      end += 1;
    while (end > first && /^\s*$/.test(lines[end - 1] as string)) end -= 1;
    if (end === first) continue;
    const text = lines.slice(first, end).join('\n');
    lines.splice(
      first,
      end - first,
      `${/^\s*/.exec(text)?.[0] ?? ''}${isReference(text.trim()) ? text.trim() : hide(text)}`,
    );
  }
}

/** Replaces the values that a text assigns to secret names. */
export function hideAssignments(text: string, hide: HideSecret): string {
  let result = text;
  if (MAY_ASSIGN.test(text)) {
    const lines = text.split('\n');
    if (lines.length > 1 && /:[ \t]*[|>]/.test(text)) hideBlocks(lines, hide);
    result = lines.map(line => hideLine(line, hide)).join('\n');
    if (/[=:]/.test(result)) result = hideInline(result, hide);
    result = hideMarkup(result, hide);
    result = hideDirectives(result, hide);
  }
  if (/bearer|basic|digest|token|negotiate|apikey/i.test(result))
    result = result.replace(AUTHORIZATION, (all, before: string, value: string) =>
      isReference(value) || /^[a-z]+$/.test(value) ? all : `${before}${hide(value)}`,
    );
  return result.includes(':')
    ? result.replace(PGPASS, (all, before: string, value: string) =>
        isReference(value) ? all : `${before}${hide(value)}`,
      )
    : result;
}

/** Looks again behind the separator of a pair that holds no secret: `https://x/?token=…` begins like a pair itself. */
function hideInline(text: string, hide: HideSecret): string {
  let result = '';
  let done = 0;
  INLINE.lastIndex = 0;
  for (let found = INLINE.exec(text); found !== null; found = INLINE.exec(text)) {
    const [all, quote = '', name = '', separator = '', value = ''] = found;
    const end = found.index + all.length;
    const rest = text.slice(end, end + 40);
    const prose = separator.includes(':') && (quote === '' ? isProse(value, rest) : /^[a-z]+$/.test(value));
    if (
      prose ||
      isStructure(value) ||
      !isSecretInText(name, value.replace(/^["']|["']$/g, ''), quote !== '')
    ) {
      INLINE.lastIndex = Math.max(end - value.length, found.index + 1);
      continue;
    }
    result += text.slice(done, end - value.length) + hideValue(value, hide);
    done = end;
  }
  return result + text.slice(done);
}

/** Elements and attributes of XML, and pairs of a name and a value that stand beside each other. */
function hideMarkup(text: string, hide: HideSecret): string {
  let result = text;
  if (result.includes('</'))
    result = result.replace(ELEMENT, (all, tag: string, attributes: string, value: string) => {
      const name = /\bname=["']([\w./-]+)["']/.exec(attributes)?.[1] ?? tag;
      return isSecretInText(name, value) && !isReference(value.trim())
        ? `<${tag}${attributes}>${hide(value)}</${tag}>`
        : all;
    });
  const hideNamed = (all: string, before: string, name: string, quote: string, value: string) =>
    isSecretName(name, 'setting') && !isReference(value) ? `${before}${quote}${hide(value)}${quote}` : all;
  if (/value["']?\s*[:=]/i.test(result))
    result = result.replace(NAMED_VALUE, hideNamed).replace(YAML_PAIR, hideNamed);
  return result.includes('(') ? result.replace(CALL, hideNamed) : result;
}

function hideDirectives(text: string, hide: HideSecret): string {
  return text
    .replace(NETRC, (_, before: string, value: string) => `${before}${hide(value)}`)
    .replace(DIRECTIVE, (all, before: string, value: string, at: number) => {
      const rest = text.slice(at + all.length, at + all.length + 20);
      const word = before.trim().toLowerCase();
      // "password must not be empty" is a sentence, "password hunter2" is a setting.
      const ambiguous = word === 'password' || word === 'passwd';
      if (
        ambiguous &&
        value.charAt(0) !== "'" &&
        value.charAt(0) !== '"' &&
        (/^[a-z]+$/i.test(value) || isProse(value, rest))
      )
        return all;
      return `${before}${hideValue(value, hide)}`;
    });
}
