// Finds secrets that a text assigns to a name: ini, TOML, YAML, JSON, XML, properties, shell, netrc, pgpass, SQL, headers.
import {hideValue, isSecretInText} from './assigned-value.ts';
import {hideBlocks, hideLists} from './secret-blocks.ts';
import {hideCode} from './secret-code.ts';
import {hideDirectives, hidePositions} from './secret-directives.ts';
import {hideMarkup} from './secret-markup.ts';
import {type HideSecret, isProse, isReference, isStructure} from './secret-value.ts';

/** One pass that finds out whether the text has a word that can name a secret. */
const MAY_ASSIGN =
  /pass|pwd|secret|token|key|cred|auth|dsn|cookie|mnemonic|conn(?:ection)?[ _-]?str|pw|psk|\bpin\b|\botp\b|\bsig(?:nature)?=|identified|bindpw|rootpw|snmp|community|encrypt|salt|\bseed|"kty"|bearer|phrase|codes?\b|\blogin\b|\buser\b|honeycomb-team|connect(?:ion)?\(|mysqli\(|\bPDO\(|hmac|cipher|fernet|kennwort|contrasena|senha|wachtwoord|haslo|heslo|salasana|losenord|adgangskode|jelszo|parola|sifre/i;

/** A name at the start of a line, its separator, and the rest of the line. */
const LINE =
  /^([ \t]*(?:[-+*][ \t]+|export[ \t]+|set[ \t]+|setenv[ \t]+|ENV[ \t]+|ARG[ \t]+|SET[ \t]+|define\(|const[ \t]+|let[ \t]+|var[ \t]+)?["']?)([A-Za-z_][\w./-]{0,99})(["']?[ \t]*(?:=>|:=|\?=|=(?!=)|:)[ \t]*(?:!{1,2}[a-z]+[ \t]+)?(?:&[\w-]+[ \t]+(?!=))?)(\S.*)$/;
/** A name anywhere, its separator and a quoted or plain value. */
const INLINE =
  /(?<![\w-]|[\w)\]]\.)(["']?)(?=[\w./-]{0,99}(?:pass|pwd|pw|secret|token|key|cred|auth|dsn|cookie|sig|mnemonic|str|otp|pin|psk|salt|encrypt|seed|kennwort|contrasena|senha|wachtwoord|haslo|heslo|salasana|losenord|adgangskode|jelszo|parola|sifre))([A-Za-z_][\w./-]{0,99})\1([ \t]*(?:=>|:=|::|:)[ \t]*|[ \t]+=(?!=)[ \t]*|=(?!=))([bfru]{0,2}"(?:[^"\\\n]|\\.)*"|[bfru]{0,2}'(?:[^'\\\n]|\\.)*'|[^\s,;&"'`}\])<]+)/gi;
/** What an Authorization header carries. */
const AUTHORIZATION =
  /\b((?:bearer|basic|digest|token|negotiate|apikey|ssws|geniekey|splunk)[ \t]+)([\w.~+/=-]{8,})/gi;

/** Letters of both cases and digits. */
const TOKEN = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{16,}$|^[\da-f]{32,}$/;
const SENTENCE_GOES_ON = /^[\w ]*[a-z] [a-z]/i;

/** The part of a line that is the value: up to a comment, or up to the next statement or parameter. */
function valuePart(separator: string, rest: string): string {
  const quoted = /^('''[\s\S]+?'''|"""[\s\S]+?"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/.exec(rest)?.[0];
  if (quoted !== undefined) return quoted;
  const uncommented = rest.replace(/(?:^|\s+)(?:#|\/\/|;(?=\s)).*$/, '').replace(/[,;]?\s*$/, '');
  const continues = /^[^\s;&,]+(?:[;&]|,\s*["']?\w+["']?\s*[:=]|[ \t]+(?:&&|\|\||--?\w|\w+=))/.test(
    uncommented,
  );
  if (separator.trim() === ':' ? /^[^\s,]+,\s*["']?\w+["']?\s*:/.test(uncommented) : continues)
    return /^[^\s,;&]+/.exec(uncommented)?.[0] ?? uncommented;
  return uncommented.replace(/[}\])]+$/, end =>
    uncommented.includes('{') || uncommented.includes('[') || uncommented.includes('(') ? end : '',
  );
}

function hideLine(line: string, hide: HideSecret, isSource: boolean): string {
  const found = LINE.exec(line);
  if (found === null) return line;
  const [, lead = '', name = '', separator = '', rest = ''] = found;
  const value = valuePart(separator, rest);
  const unquoted = value.replace(/^["']|["']$/g, '');
  if (isSource && unquoted === value && !/["'`]$/.test(value)) return line;
  if (name === 'PASS' && separator.includes(':')) return line;
  if (!isSecretInText(name, unquoted, /["']$/.test(lead)) || isStructure(value)) return line;
  if (!/passw|passphrase|pwd/i.test(name) && isProse(value, '')) return line;
  if (isExpression(value, rest.slice(value.length))) return line;
  // `PASSWORD=$X ./run`: the rest is a command.
  if (separator === '=' && /\s/.test(value) && isReference(value.split(/\s/, 1)[0] as string)) return line;
  return `${lead}${name}${separator}${hideValue(value, hide)}${rest.slice(value.length)}`;
}

/** Replaces the values that a text assigns to secret names. */
export function hideAssignments(text: string, hide: HideSecret): string {
  let result = hidePositions(text, hide);
  if (MAY_ASSIGN.test(result)) {
    const isSource = SOURCE.test(result);
    if (result.includes('\n')) result = hideLists(hideBlocks(result, hide), hide);
    result = result
      .split('\n')
      .map(line => hideLine(line, hide, isSource))
      .join('\n');
    if (/[=:]/.test(result)) result = hideInline(result, hide, isSource);
    result = hideMarkup(result, hide);
    result = hideCode(result, hide);
    result = hideDirectives(result, hide);
  }
  if (/bearer|basic|digest|token|negotiate|apikey|ssws|geniekey|splunk/i.test(result))
    result = result.replace(AUTHORIZATION, (all, before: string, value: string, at: number, whole: string) =>
      isReference(value) ||
      // A sentence goes on after an ordinary word; after a random one it is a message about the token.
      (SENTENCE_GOES_ON.test(whole.slice(at + all.length, at + all.length + 80)) && !TOKEN.test(value)) ||
      !/\d|=$/.test(value) ||
      /^[a-z]\w*\.[A-Z]/.test(value) ||
      /^[A-Za-z]?[a-z]+(?:[-._/][a-z]+)*[.,:;]?$/.test(value)
        ? all
        : `${before}${hide(value)}`,
    );
  return result;
}

/** A line that only a program has. In a program a value without quotes is a variable. */
const SOURCE =
  /^[ \t]*(?:import [\w{*"'(]|from [\w.]+ import|def \w+[(:]|class \w+[^=\n]*[:{]\s*$|func(?:tion)?[ (]\w|package [\w.]+;?$|(?:public|private|protected) \w|fn \w+|(?:export )?(?:const|let|async|function|default|interface|type) [\w{]|#include|<\?php|using [\w.]+;|namespace |require(?:_once)?[( ]|module\.exports|@\w+\()/m;

/** Whether a place is inside quotes, as far as its line tells. */
function isInString(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).slice(-500);
  return ['"', "'", '`'].some(quote => line.split(quote).length % 2 === 0);
}

/** `jwt.sign({` and `handle:headers():get(`. */
const CALL = /^(?:await |new )?[A-Za-z_$][\w$]*(?:(?:\??\.|::?|->)[A-Za-z_$][\w$]*)+\(/;

/** `f(password=db_password)` passes a variable on, and `getToken(user)` ends with what follows. */
function isExpression(value: string, rest: string): boolean {
  if (CALL.test(value) || (/^[)\]]/.test(rest) && /^[A-Za-z_$][\w$.]*[([]/.test(value))) return true;
  return (
    /^[,);]/.test(rest) && /^[A-Za-z_]*(?:password|passwd|secret|token|[a-z_]key|credentials?)$/i.test(value)
  );
}

/** Looks again behind the separator of a pair that holds no secret: `https://x/?token=…` begins like a pair itself. */
function hideInline(text: string, hide: HideSecret, isSource: boolean): string {
  let result = '';
  let done = 0;
  INLINE.lastIndex = 0;
  for (let found = INLINE.exec(text); found !== null; found = INLINE.exec(text)) {
    const [all, quote = '', name = '', separator = '', value = ''] = found;
    const end = found.index + all.length;
    const rest = text.slice(end, end + 40);
    const prose = separator.includes(':')
      ? quote === ''
        ? isProse(value, rest)
        : /^[a-z]+$/.test(value)
      : (/^[A-Z][a-z]+$/.test(value) && /^ \p{L}+ \p{L}+/u.test(rest)) ||
        (/^[A-Z]{2,5}$/.test(value) && /^ \p{L}+/u.test(rest));
    const isDefault = separator === ':' && text.charAt(found.index - 1) === '{' && /^[-=?+]/.test(value);
    // `http://onepassword:8080`.
    const isPort = text.charAt(found.index - 1) === '/' && /^\d{1,5}(?!\d)/.test(value);
    // `.token::after` of a stylesheet.
    const isSelector = separator.includes(':') && text.charAt(found.index - 1) === '.';
    const isPartOfArn = quote === '' && separator === ':' && text.charAt(found.index - 1) === ':';
    const isVariable =
      isSource && /^[\w$]/.test(value) && !/^[bfru]{0,2}["']/.test(value) && !isInString(text, found.index);
    if (
      prose ||
      isSelector ||
      isPartOfArn ||
      isPort ||
      isVariable ||
      name === 'PASS' ||
      (isDefault && (value.startsWith('?') || isReference(value.slice(1)))) ||
      isExpression(value, rest) ||
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
