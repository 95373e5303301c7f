// The filters of docs/formulas.md as text over those of krtscope/krt. An exported module contains only those it uses.
interface FilterText {
  imports: string[];
  text: string;
  /** Words of other texts that this one calls. */
  needs?: string;
}

const selectionOf = (filter: string) => `({filters: [${filter}]})`;

const texts: Record<string, FilterText> = {
  key: {
    imports: ['filterKey'],
    text: `const key = (key: string): Selection<any> => ${selectionOf('filterKey(key)')};`,
  },
  keys: {
    imports: ['filterKeys'],
    text: `const keys = (...keys: (string | Iterable<string>)[]): Selection<any> => ({
  filters: [filterKeys(keys.flatMap(one => (typeof one === 'string' ? [one] : [...one])))],
});`,
  },
  name: {
    imports: ['filterObjectName'],
    text: `const name = (name: string, namespace?: string): Selection<any> => ${selectionOf('filterObjectName({name, namespace})')};`,
  },
  namespace: {
    imports: ['filterNamespace'],
    text: `const namespace = (namespace: string): Selection<any> => ${selectionOf('filterNamespace(namespace)')};`,
  },
  label: {
    imports: ['filterGeneric', 'filterLabel'],
    needs: 'matches',
    text: `const label = (own: Labels | LabelSelector | null | undefined): Selection<any> => {
  const selector: any = own ?? {};
  if (typeof selector.matchLabels !== 'object' && !Array.isArray(selector.matchExpressions))
    return {filters: [filterLabel(selector)]};
  const {matchLabels, matchExpressions = []} = selector;
  const meetsExpressions = (item: any) => matches({matchExpressions}, item?.metadata?.labels ?? item?.labels);
  return {filters: [filterLabel(matchLabels), ...(matchExpressions.length > 0 ? [filterGeneric(meetsExpressions)] : [])]};
};
interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {readonly key: string; readonly operator: string; readonly values?: readonly string[]}[];
}`,
  },
  selects: {
    imports: ['filterSelects'],
    text: `const selects = (labels: Labels | null | undefined): Selection<any> => ${selectionOf('filterSelects(labels ?? undefined)')};`,
  },
  selectsNonEmpty: {
    imports: ['filterSelectsNonEmpty'],
    text: `const selectsNonEmpty = (labels: Labels | null | undefined): Selection<any> =>
  ${selectionOf('filterSelectsNonEmpty(labels ?? undefined)')};`,
  },
  generic: {
    imports: ['filterGeneric'],
    text: `const generic = <T>(test: (item: T) => unknown): Selection<T> => ${selectionOf('filterGeneric((item: T) => Boolean(test(item)))')};`,
  },
  index: {
    imports: ['filterIndex'],
    needs: 'indexAt',
    text: `const index = <T>(from: Collection<T>, path: string, value: string | number | boolean | null | undefined): Selection<T> => ({
  filters: [filterIndex(indexAt(from, path), String(value))],
});`,
  },
};

/** The index of a collection and a path, for the filter and for groups. */
const indexAtText = `const indexes = new Map<unknown, any>();
const indexAt = <T>(from: Collection<T>, path: string): Index<T> => {
  const parts = [...path.matchAll(/([^.[\\]]+)|\\["([^"]*)"\\]/g)].map(([, plain, quoted]) => plain ?? quoted ?? '');
  const valuesAt = (item: any, at: number): string[] => {
    if (Array.isArray(item)) return item.flatMap(one => valuesAt(one, at));
    const part = parts[at];
    if (part === undefined) return item === undefined || item === null || typeof item === 'object' ? [] : [String(item)];
    return typeof item === 'object' && item !== null && Object.hasOwn(item, part) ? valuesAt(item[part], at + 1) : [];
  };
  if (!indexes.has(from)) indexes.set(from, new Map());
  const byPath = indexes.get(from);
  if (!byPath.has(path)) byPath.set(path, newIndex(from, \`FORMULA \${path}\`, (item: any) => valuesAt(item, 0)));
  return byPath.get(path);
};`;

/** Groups as collections. */
const groupsOfText = `type Group<T> = {readonly key: string; readonly objects: readonly T[]};
const groupsOf = <T>(from: Collection<T>, path: string): Collection<Group<T>> =>
  indexAt(from, path).asCollection({name: \`\${from.name} by \${path}\`}) as Collection<Group<T>>;`;

/** Whether the code calls a function or passes it on. A word in a text may count, too. */
function usesFunction(code: string, word: string): boolean {
  return new RegExp(`(?<![\\w$.])${word} *[(),;\\]}]`).test(code);
}

/** The filters that `code` calls, the names to import for them, and the helpers they need. */
export function filterTexts(
  code: string,
  hasGroups = false,
): {imports: string[]; texts: string[]; needs: string} {
  const used = Object.keys(texts)
    .filter(word => usesFunction(code, word))
    .map(word => texts[word]!);
  const needs = used.map(one => one.needs ?? '').join(' ');
  const hasIndex = hasGroups || needs.includes('indexAt');
  return {
    imports: [...used.flatMap(one => one.imports), ...(hasIndex ? ['newIndex', 'type Index'] : [])],
    texts: [
      ...(hasIndex ? [indexAtText] : []),
      ...(hasGroups ? [groupsOfText] : []),
      ...used.map(one => one.text),
    ],
    needs,
  };
}
