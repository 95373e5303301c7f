// Finds secrets in tables of text: the columns under a secret name, in CSV with any separator and in Markdown.
import {isSecretName} from './secret-names.ts';
import {type HideSecret, isReference} from './secret-value.ts';

const SEPARATORS = [',', ';', '\t', '|'];
const HEADING = /^\s*["']?[\w .-]{0,40}["']?\s*$/;
const RULE = /^[\s|:-]+$/;

/** Replaces the cells of each column whose heading is a secret name. */
export function hideColumns(text: string, hide: HideSecret): string {
  const end = text.indexOf('\n');
  if (end < 3 || end > 2000) return text;
  const first = text.slice(0, end);
  const separator = SEPARATORS.find(one => first.includes(one));
  if (separator === undefined) return text;
  const headings = first.split(separator);
  if (headings.length < 2 || !headings.every(one => HEADING.test(one))) return text;
  const secret = headings.map(one => isSecretName(one.replace(/["'\s]/g, ''), 'field'));
  if (!secret.includes(true)) return text;
  const rows = text
    .slice(end + 1)
    .split('\n')
    .map(line => {
      const cells = line.split(separator);
      if (cells.length !== headings.length || RULE.test(line)) return line;
      return cells.map((cell, at) => (secret[at] ? hideCell(cell, hide) : cell)).join(separator);
    });
  return [first, ...rows].join('\n');
}

function hideCell(cell: string, hide: HideSecret): string {
  const value = cell.trim().replace(/^["']|["']$/g, '');
  return value === '' || isReference(value) ? cell : cell.replace(value, () => hide(value));
}
