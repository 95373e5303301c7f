// The helpers of docs/formulas.md as text. An exported module contains only the helpers it uses.
/// <reference path="./raw-text.d.ts" />
import base64Source from '@krtscope/shared/certificates/base64.ts?raw';
import certificateSource from '@krtscope/shared/certificates/certificate.ts?raw';

/** A source file as a function of its own, so that its other names stay inside. */
function wrapSource(names: string[], ...sources: string[]): string {
  const body = sources
    .join('\n')
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^\/\/ .*\n/gm, '')
    .trim();
  return `const {${names.join(', ')}} = (() => {\n${body}\n  return {${names.join(', ')}};\n})();`;
}

const texts: Record<string, string> = {
  nameOf: `const nameOf = (item: any): string => {
  const name = item?.metadata?.name ?? item?.name;
  return typeof name === 'string' ? name : '';
};`,
  namespaceOf: `const namespaceOf = (item: any): string => {
  const namespace = item?.metadata?.namespace ?? item?.namespace;
  return typeof namespace === 'string' ? namespace : '';
};`,
  keyOf: `const keyOf = (item: any): string =>
  typeof item?.key === 'string' ? item.key : [namespaceOf(item), nameOf(item)].filter(Boolean).join('/');`,
  labelsOf: 'const labelsOf = (item: any): Labels => item?.metadata?.labels ?? {};',
  ownerOf: `const ownerOf = (item: any): {kind: string; name: string} | undefined => {
  const owners = item?.metadata?.ownerReferences ?? [];
  const owner = owners.find((one: any) => one.controller === true) ?? owners[0];
  return owner && {kind: owner.kind ?? '', name: owner.name ?? ''};
};`,
  isReady: `const isReady = (item: any): boolean =>
  (item?.status?.conditions ?? []).some((one: any) => one.type === 'Ready' && one.status === 'True');`,
  matches: `const matches = (selector: any, labels: any): boolean => {
  if (typeof selector !== 'object' || selector === null) return selector === undefined || selector === null;
  const isSelector = typeof selector.matchLabels === 'object' || Array.isArray(selector.matchExpressions);
  const wanted = isSelector ? (selector.matchLabels ?? {}) : selector;
  const has = (name: string) => Object.hasOwn(labels ?? {}, name);
  const meets = ({key = '', operator, values = []}: any): boolean => {
    if (operator === 'Exists') return has(key);
    if (operator === 'DoesNotExist') return !has(key);
    if (operator === 'In') return has(key) && values.includes(labels[key]);
    if (operator === 'NotIn') return !has(key) || !values.includes(labels[key]);
    throw new TypeError(\`a selector has the operators In, NotIn, Exists and DoesNotExist, not "\${operator}"\`);
  };
  return (
    Object.entries(wanted).every(([name, value]) => has(name) && labels[name] === value) &&
    (isSelector ? (selector.matchExpressions ?? []) : []).every(meets)
  );
};`,
  quantity: `const quantity = (text: unknown): number => {
  const found = /^([+-]?[\\d.]+(?:[eE][+-]?\\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(String(text ?? '0'));
  if (found === null) throw new TypeError(\`"\${String(text).slice(0, 40)}" is not a quantity\`);
  const [, digits, unit = ''] = found;
  const powers: Record<string, number> = {n: -3, u: -2, m: -1, k: 1, M: 2, G: 3, T: 4, P: 5, E: 6};
  const factor = unit.endsWith('i') ? 1024 ** ' KMGTPE'.indexOf(unit.slice(0, 1)) : 1000 ** (powers[unit] ?? 0);
  return Number(digits) * factor;
};`,
  time: `const time = (text: unknown): number => {
  const time = Date.parse(String(text));
  if (Number.isNaN(time)) throw new TypeError(\`"\${String(text).slice(0, 40)}" is not a time\`);
  return time;
};`,
  groupBy: `const groupBy = <T>(list: Iterable<T>, by: (item: T) => unknown): Record<string, T[]> => {
  const groups: Record<string, T[]> = {};
  for (const item of list) (groups[String(by(item))] ??= []).push(item);
  return groups;
};`,
  countBy: `const countBy = <T>(list: Iterable<T>, by: (item: T) => unknown): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of list) counts[String(by(item))] = (counts[String(by(item))] ?? 0) + 1;
  return counts;
};`,
  sum: `const sum = <T>(list: Iterable<T>, of: (item: T) => unknown = item => item): number => {
  let total = 0;
  for (const item of list) total += Number(of(item) ?? 0);
  return total;
};`,
  unique: 'const unique = <T>(list: Iterable<T>): T[] => [...new Set(list)];',
};
const base64 = wrapSource(['decodeBase64', 'encodeBase64'], base64Source);
const certificate = wrapSource(
  ['certificates', 'decodeBase64', 'encodeBase64'],
  base64Source,
  certificateSource,
);

export function mentionsWord(code: string, word: string): boolean {
  return new RegExp(`(?<![\\w$.])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(code);
}

/** Each helper comes after the helpers it uses. */
export function helperTexts(code: string): string[] {
  const wanted = new Set<string>();
  const collect = (text: string) => {
    for (const word of Object.keys(texts)) {
      if (wanted.has(word) || !mentionsWord(text, word)) continue;
      wanted.add(word);
      collect(texts[word]!);
    }
  };
  collect(code);
  const small = Object.keys(texts)
    .filter(word => wanted.has(word))
    .map(word => texts[word]!);
  if (mentionsWord(code, 'certificates')) return [...small, certificate];
  return /(?<![\w$.])(?:de|en)codeBase64(?![\w$])/.test(code) ? [...small, base64] : small;
}
