// Hides the data of a Secret whose manifest stands in a text, as YAML or JSON.
import {type HideSecret, isReference} from './secret-value.ts';

const KIND = /\bkind\\*["']?\s*:\s*\\*["']?Secret\b(?!\w)/;
/** `"data": {…}`, also inside a string of JSON. Certificates and other objects stay. */
const JSON_DATA = /((?:\\*)"(?:data|stringData)\\*"\s*:\s*\{)([^{}]{1,100000})(?=\})/g;
const JSON_MEMBER =
  /((\\*)"([\w.-]{1,253})\2"\s*:\s*\2")((?:(?!\2")[^\n]|\\\2"){1,100000}?)(?=\2"\s*(?:,|$))/g;
const YAML_DATA = /^([ \t]*(?:-[ \t]+)?)["']?(?:data|stringData)["']?:[ \t]*$/;
const YAML_MEMBER = /^([ \t]*["']?([\w.-]{1,253})["']?:[ \t]*)(\S.*)$/;
const PUBLIC_DATA = new Set(['tls.crt', 'ca.crt']);
const CERTIFICATE = /^["']?(?:LS0tLS1CRUdJTiBDRVJ|-----BEGIN CERTIFICATE)/;

const isPublic = (name: string, value: string) =>
  isReference(value) || (PUBLIC_DATA.has(name) && CERTIFICATE.test(value));

export function hideManifests(text: string, hide: HideSecret): string {
  if (!text.includes('Secret') || !KIND.test(text)) return text;
  const result = text.replace(JSON_DATA, (_, before: string, members: string) => {
    const hidden = members.replace(
      JSON_MEMBER,
      (all, start: string, __: string, name: string, value: string) =>
        isPublic(name, value) ? all : `${start}${hide(value)}`,
    );
    return `${before}${hidden}`;
  });
  if (!/^[ \t]*(?:-[ \t]+)?["']?(?:data|stringData)["']?:[ \t]*$/m.test(result)) return result;
  return result
    .split(/^(?=---[ \t]*$)/m)
    .map(document => (KIND.test(document) ? hideDocument(document, hide) : document))
    .join('');
}

function hideDocument(document: string, hide: HideSecret): string {
  const lines = document.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const lead = YAML_DATA.exec(lines[at] as string)?.[1];
    if (lead === undefined) continue;
    let next = at + 1;
    while (next < lines.length && isDeeper(lines[next] as string, lead.length)) {
      const [, start = '', name = '', value = ''] = YAML_MEMBER.exec(lines[next] as string) ?? [];
      if (/^[|>][-+\d]*$/.test(value)) next = hideBlock(lines, next, name, hide);
      else if (value !== '' && !isPublic(name, value)) lines[next] = `${start}${hide(value)}`;
      next += 1;
    }
  }
  return lines.join('\n');
}

const isDeeper = (line: string, indent: number) =>
  /^\s*$/.test(line) || (/^[ \t]*/.exec(line)?.[0].length ?? 0) > indent;

/** Replaces the lines of a block by one, and gives its place. */
function hideBlock(lines: string[], at: number, name: string, hide: HideSecret): number {
  const indent = /^[ \t]*/.exec(lines[at] as string)?.[0].length ?? 0;
  let end = at + 1;
  while (end < lines.length && isDeeper(lines[end] as string, indent)) end += 1;
  while (end > at + 1 && (lines[end - 1] as string).trim() === '') end -= 1;
  const block = lines.slice(at + 1, end).join('\n');
  if (block === '' || isPublic(name, block.trim())) return end - 1;
  lines.splice(at + 1, end - at - 1, `${/^[ \t]*/.exec(block)?.[0] ?? ''}${hide(block)}`);
  return at + 1;
}
