// The helpers of docs/formulas.md as text. An exported module contains only the helpers it uses.

const texts: Record<string, string> = {
  nameOf: "const nameOf = (item: any) => item?.metadata?.name ?? item?.name ?? '';",
  namespaceOf: "const namespaceOf = (item: any) => item?.metadata?.namespace ?? item?.namespace ?? '';",
  keyOf: `const keyOf = (item: any) =>
  typeof item?.key === 'string' ? item.key : [namespaceOf(item), nameOf(item)].filter(Boolean).join('/');`,
  labelsOf: 'const labelsOf = (item: any) => item?.metadata?.labels ?? {};',
  ownerOf: `const ownerOf = (item: any) => {
  const owners = item?.metadata?.ownerReferences ?? [];
  const owner = owners.find((one: any) => one.controller) ?? owners[0];
  return owner && {kind: owner.kind, name: owner.name};
};`,
  isReady: `const isReady = (item: any) =>
  (item?.status?.conditions ?? []).some((one: any) => one.type === 'Ready' && one.status === 'True');`,
  matches: `const matches = (selector: any, labels: any) => {
  const wanted = selector?.matchLabels ?? (selector?.matchExpressions ? {} : (selector ?? {}));
  const has = (name: string) => Object.hasOwn(labels ?? {}, name);
  const holds: Record<string, (one: any) => boolean> = {
    In: ({key, values}) => has(key) && values.includes(labels[key]),
    NotIn: ({key, values}) => !has(key) || !values.includes(labels[key]),
    Exists: ({key}) => has(key),
    DoesNotExist: ({key}) => !has(key),
  };
  return (
    Object.entries(wanted).every(([name, value]) => labels?.[name] === value) &&
    (selector?.matchExpressions ?? []).every((one: any) => holds[one.operator]?.(one) ?? false)
  );
};`,
  quantity: `const quantity = (text: unknown) => {
  const [, digits = '0', unit = ''] = /^([+-]?[\\d.]+(?:[eE][+-]?\\d+)?)(\\w*)$/.exec(String(text ?? 0)) ?? [];
  const powers: Record<string, number> = {n: -3, u: -2, m: -1, k: 1, M: 2, G: 3, T: 4, P: 5, E: 6};
  const factor = unit.endsWith('i') ? 1024 ** ' KMGTPE'.indexOf(unit.slice(0, 1)) : 1000 ** (powers[unit] ?? 0);
  return Number(digits) * factor;
};`,
  time: 'const time = (text: unknown) => Date.parse(String(text));',
  groupBy: `const groupBy = (list: Iterable<any>, by: (item: any) => unknown) => {
  const groups: Record<string, any[]> = {};
  for (const item of list) (groups[String(by(item))] ??= []).push(item);
  return groups;
};`,
  countBy: `const countBy = (list: Iterable<any>, by: (item: any) => unknown) => {
  const counts: Record<string, number> = {};
  for (const item of list) counts[String(by(item))] = (counts[String(by(item))] ?? 0) + 1;
  return counts;
};`,
  sum: 'const sum = (list: Iterable<any>, of = (item: any): unknown => item) => [...list].reduce((total, item) => total + Number(of(item) ?? 0), 0);',
  unique: 'const unique = (list: Iterable<any>) => [...new Set(list)];',
};

/** Each helper comes after the helpers it uses. */
export function helperTexts(code: string): string[] {
  const wanted = new Set<string>();
  const collect = (text: string) => {
    for (const word of Object.keys(texts)) {
      if (wanted.has(word) || !new RegExp(`(?<![\\w$.])${word}(?![\\w$])`).test(text)) continue;
      wanted.add(word);
      collect(texts[word]!);
    }
  };
  collect(code);
  return Object.keys(texts)
    .filter(word => wanted.has(word))
    .map(word => texts[word]!);
}
