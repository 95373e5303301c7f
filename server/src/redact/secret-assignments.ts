// Finds secrets that a text assigns to a name: ini, TOML, YAML, JSON, XML, properties, shell, netrc, pgpass, SQL, headers.
import {hideValue, isSecretInText} from './assigned-value.ts';
import {isOpaque} from './opaque-value.ts';
import {hideDirectives, hidePositions} from './secret-directives.ts';
import {hideMarkup} from './secret-markup.ts';
import {isSecretList} from './secret-names.ts';
import {type HideSecret, isProse, isReference, isStructure} from './secret-value.ts';

/** One pass that finds out whether the text has a word that can name a secret. */
const MAY_ASSIGN =
  /pass|pwd|secret|token|key|cred|auth|dsn|cookie|mnemonic|conn(?:ection)?[ _-]?str|pw|psk|\bpin\b|\botp\b|\bsig(?:nature)?=|identified|bindpw|rootpw|snmp|community|encrypt|salt|\bseed|"kty"|bearer|phrase|codes?\b|\blogin\b|\buser\b/i;

/** A name at the start of a line, its separator, and the rest of the line. */
const LINE =
  /^([ \t]*(?:[-+*][ \t]+|export[ \t]+|set[ \t]+|setenv[ \t]+|ENV[ \t]+|ARG[ \t]+|SET[ \t]+|define\(|const[ \t]+|let[ \t]+|var[ \t]+)?["']?)([A-Za-z_][\w./-]{0,99})(["']?[ \t]*(?:=>|:=|=|:)[ \t]*(?:!{1,2}[a-z]+[ \t]+)?)(\S.*)$/;
const BLOCK = /^([ \t]*)(?:-[ \t]+)?["']?([A-Za-z_][\w./-]{0,99})["']?[ \t]*:[ \t]*[|>][-+\d]*[ \t]*$/;
/** A name anywhere, its separator and a quoted or plain value. */
const INLINE =
  /(?<![\w.-])(["']?)(?=[\w./-]{0,99}(?:pass|pwd|pw|secret|token|key|cred|auth|dsn|cookie|sig|mnemonic|str|otp|pin|psk|salt|encrypt|seed))([A-Za-z_][\w./-]{0,99})\1([ \t]*(?:=>|:=|[=:])[ \t]*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s,;&"'`}\])<]+)/gi;
/** What an Authorization header carries. */
const AUTHORIZATION =
  /\b((?:bearer|basic|digest|token|negotiate|apikey|ssws|geniekey|splunk)[ \t]+)([\w.~+/=-]{8,})(?![\w ]*[a-z] [a-z])/gi;

/** The part of a line that is the value: up to a comment, or up to the next statement or parameter. */
function valuePart(separator: string, rest: string): string {
  const quoted = /^('''[\s\S]+?'''|"""[\s\S]+?"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/.exec(rest)?.[0];
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

/** `tokens:` or `passwords {`, whose members are secrets. */
const LIST =
  /^([ \t]*)(?:-[ \t]+)?["']?([\w.-]{0,60}(?:passwords|tokens|api_?keys|credentials|secrets))["']?[ \t]*[:=]?[ \t]*[[{]?[ \t]*$/i;
const MEMBER =
  /^([ \t]*(?:-[ \t]+)?(?:["']?[\w.@-]{1,64}["']?[ \t]*[=:][ \t]*)?["']?)([^\s"',]{6,200})(["']?,?[ \t]*)$/;

/** Hides what stands indented below the name of a list of secrets. */
function hideLists(lines: string[], hide: HideSecret): void {
  for (let at = 0; at < lines.length; at += 1) {
    const [, lead, name = ''] = LIST.exec(lines[at] as string) ?? [];
    if (lead === undefined || !isSecretList(name)) continue;
    const isPassword = /passwords$/i.test(name);
    for (let next = at + 1; next < lines.length; next += 1) {
      const [, before = '', value = '', after = ''] = MEMBER.exec(lines[next] as string) ?? [];
      const indent = /^[ \t]*/.exec(lines[next] as string)?.[0].length ?? 0;
      if (indent < lead.length || (indent === lead.length && !/^\s*-/.test(lines[next] as string))) break;
      if (value !== '' && (isPassword || isOpaque(value)) && !isReference(value))
        lines[next] = `${before}${hide(value)}${after}`;
    }
  }
}

/** Replaces the values that a text assigns to secret names. */
export function hideAssignments(text: string, hide: HideSecret): string {
  let result = hidePositions(text, hide);
  if (MAY_ASSIGN.test(result)) {
    const lines = result.split('\n');
    if (lines.length > 1 && /:[ \t]*[|>]/.test(result)) hideBlocks(lines, hide);
    if (lines.length > 1) hideLists(lines, hide);
    result = lines.map(line => hideLine(line, hide)).join('\n');
    if (/[=:]/.test(result)) result = hideInline(result, hide);
    result = hideMarkup(result, hide);
    result = hideDirectives(result, hide);
  }
  if (/bearer|basic|digest|token|negotiate|apikey|ssws|geniekey|splunk/i.test(result))
    result = result.replace(AUTHORIZATION, (all, before: string, value: string) =>
      isReference(value) || /^[A-Za-z]?[a-z]+(?:[-._/][a-z]+)*[.,:;]?$/.test(value)
        ? all
        : `${before}${hide(value)}`,
    );
  return result;
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
    const prose = separator.includes(':')
      ? quote === ''
        ? isProse(value, rest)
        : /^[a-z]+$/.test(value)
      : /^[A-Z][a-z]+$/.test(value) && /^ [a-z]+ [a-z]+/.test(rest);
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
