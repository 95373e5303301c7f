// Finds secrets that stand in the lines below their name: blocks of YAML, heredocs, lists and sections.
import {isSecretInText} from './assigned-value.ts';
import {isOpaque} from './opaque-value.ts';
import {isSecretList} from './secret-names.ts';
import {type HideSecret, isReference} from './secret-value.ts';

const NAME = `["']?([A-Za-z_][\\w./-]{0,99})["']?`;
const BLOCK = new RegExp(`^([ \\t]*)(?:-[ \\t]+)?${NAME}[ \\t]*:[ \\t]*([|>][-+\\d]*)?[ \\t]*$`);
/** `password = <<EOT`, and the tag that ends it. */
const HEREDOC = new RegExp(`^[ \\t]*${NAME}[ \\t]*=[ \\t]*<<[-~]?["']?([A-Za-z_]\\w{0,40})["']?[ \\t]*$`);
/** A value that stands alone in its line. */
const LONE_VALUE = /^[ \t]+(["']?)([^\s"'#:[{|>&*-][^"'#[{]*|-[^\s-]\S*)\1[ \t]*$/;
const MAY_HAVE_BLOCK = /:[ \t]*(?:[|>][-+\d]*)?[ \t]*\n|<<[-~]?["']?[A-Za-z_]\w{0,40}["']?[ \t]*\n/;

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** Hides the lines below `password: |`, `password:` and `password = <<EOT`. */
export function hideBlocks(text: string, hide: HideSecret): string {
  if (!MAY_HAVE_BLOCK.test(text)) return text;
  const lines = text.split('\n');
  for (let at = 0; at < lines.length - 1; at += 1) {
    const line = lines[at] as string;
    const block = BLOCK.exec(line);
    if (block !== null && isSecretInText(block[2] as string, 'block'))
      hideIndented(lines, at, block[3] !== undefined, hide);
    const heredoc = block === null ? HEREDOC.exec(line) : null;
    if (heredoc !== null && isSecretInText(heredoc[1] as string, 'block'))
      hideUpTo(
        lines,
        at + 1,
        lines.findIndex((one, index) => index > at && one.trim() === heredoc[2]),
        hide,
      );
  }
  return lines.join('\n');
}

function hideIndented(lines: string[], at: number, isBlock: boolean, hide: HideSecret): void {
  const indent = indentOf(lines[at] as string);
  let end = at + 1;
  while (
    end < lines.length &&
    (/^\s*$/.test(lines[end] as string) || indentOf(lines[end] as string) > indent)
  )
    end += 1;
  while (end > at + 1 && /^\s*$/.test(lines[end - 1] as string)) end -= 1;
  if (isBlock) {
    hideUpTo(lines, at + 1, end, hide);
    return;
  }
  // Without a mark the lines below are a value only if there is one, and no name in it.
  const value = end === at + 2 ? LONE_VALUE.exec(lines[at + 1] as string)?.[2] : undefined;
  if (value !== undefined && !isReference(value) && !/:(?:\s|$)/.test(value))
    lines[at + 1] = (lines[at + 1] as string).replace(value, () => hide(value));
}

/** Replaces the lines by one. */
function hideUpTo(lines: string[], first: number, end: number, hide: HideSecret): void {
  if (end <= first) return;
  const text = lines.slice(first, end).join('\n');
  const value = text.trim();
  lines.splice(
    first,
    end - first,
    `${/^\s*/.exec(text)?.[0] ?? ''}${isReference(value) ? value : hide(text)}`,
  );
}

/** `tokens:`, `passwords {` and `[passwords]`, whose members are secrets. */
const LIST =
  /^([ \t]*)(?:-[ \t]+)?["']?([\w.-]{0,60}(?:passwords|tokens|api_?keys|credentials|secrets))["']?[ \t]*[:=]?[ \t]*[[{]?[ \t]*$/i;
const SECTION = /^\[([\w.-]{0,60}(?:passwords|tokens|api_?keys|credentials|secrets|admins))\][ \t]*$/i;
const MEMBER =
  /^([ \t]*(?:-[ \t]+)?(?:["']?[\w.@-]{1,64}["']?[ \t]*[=:][ \t]*)?["']?)([^\s"',]{6,200})(["']?,?[ \t]*)$/;

/** Hides what stands indented below the name of a list of secrets, and in a section of that name. */
export function hideLists(text: string, hide: HideSecret): string {
  const lines = text.split('\n');
  for (let at = 0; at < lines.length - 1; at += 1) {
    const section = SECTION.exec(lines[at] as string)?.[1];
    const [, lead = '', name = section] = LIST.exec(lines[at] as string) ?? [];
    if (name === undefined || (section === undefined && !isSecretList(name))) continue;
    const isPassword = /(?:passwords|admins)$/i.test(name);
    for (let next = at + 1; next < lines.length; next += 1) {
      const line = lines[next] as string;
      const indent = indentOf(line);
      if (section !== undefined && line.startsWith('[')) break;
      if (section === undefined && (indent < lead.length || (indent === lead.length && !/^\s*-/.test(line))))
        break;
      const [, before = '', value = '', after = ''] = MEMBER.exec(line) ?? [];
      if (value !== '' && (isPassword || isOpaque(value)) && !isReference(value))
        lines[next] = `${before}${hide(value)}${after}`;
    }
  }
  return lines.join('\n');
}
