// Exports the draft as a TypeScript module for krtscope/krt. The formula's text stays unchanged.
import type {Graph} from '@krtscope/shared/graph.ts';
import {parseGroupName, withGrouped} from '@krtscope/shared/groups/group-name.ts';
import type {Draft} from '../draft/drafts.ts';
import {filterTexts} from './filter-texts.ts';
import {helperTexts, mentionsWord} from './helper-texts.ts';
import {itemTypes} from './item-types.ts';

const constructors = {one: 'newCollection', many: 'newManyCollection', singleton: 'newSingleton'} as const;
/** The source that `ctx.minute()` reads. */
const CLOCK = 'Clock';

const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);

/** The helpers of the folder, if the code uses one, as text inside a function. */
export function usedHelpers(code: string, helpers: string): string {
  const names = [...helpers.matchAll(/^export\s+(?:function|const)\s+([\w$]+)/gm)].map(
    ([, name = '']) => name,
  );
  return names.some(name => mentionsWord(code, name)) ? helpers.replaceAll(/^export\s+/gm, '').trim() : '';
}

/** The collections that the formula and its helpers read, its input first. */
export function readCollections(draft: Draft, graph: Graph | null, helpers = ''): string[] {
  const {kind, input, name} = draft;
  const code = `${draft.code}\n${usedHelpers(draft.code, helpers)}`;
  const known = (graph?.collections ?? []).map(node => node.name).filter(one => one !== name);
  const named = known.filter(one =>
    isIdentifier(one) ? mentionsWord(code, one) : code.includes(`'${one}'`) || code.includes(`"${one}"`),
  );
  return [
    ...new Set([
      ...withGrouped([...(kind === 'singleton' || input === undefined ? [] : [input]), ...named]),
      ...(mentionsWord(code, 'rootOwner') ? ['ReplicaSets'] : []),
      ...(readsMinute(code) ? [CLOCK] : []),
    ]),
  ];
}

function readsMinute(code: string): boolean {
  return /\.\s*minute\s*\(/.test(code);
}

/**
 * `--graph DIR` calls `build` of a `*.graph.ts`. Other programs call it with an engine and collections of theirs.
 * `declarations` describes the items of collections that krtscope/types does not have, `helperFile` is helpers.ts.
 */
export function typescriptModule(
  draft: Draft,
  graph: Graph | null,
  declarations = '',
  helperFile = '',
): string {
  const {name, kind, input} = draft;
  const formulaCode = draft.code.replace(/^\uFEFF?(?:#!.*\n)?/, '').trim();
  const own = usedHelpers(formulaCode, helperFile);
  const code = `${formulaCode}\n${own}`;
  const read = readCollections(draft, graph, helperFile);
  const types = itemTypes(read, graph, declarations);
  const hasGroups = read.some(one => parseGroupName(one) !== undefined);
  const filters = filterTexts(code, hasGroups);
  const findsOwner = mentionsWord(code, 'rootOwner');
  const helpers = helperTexts(`${code} ${filters.needs} ${findsOwner ? 'ownerOf namespaceOf' : ''}`);
  const imports = [
    constructors[kind],
    'fetch',
    'fetchOne',
    ...filters.imports,
    ...(findsOwner ? ['filterKey'] : []),
  ];
  const item = JSON.stringify(input);
  const body = [
    ...read.filter(isIdentifier).map(one => `const ${one} = ${collectionText(one)};`),
    ...(mentionsWord(code, 'collection') ? [collectionFunction(read)] : []),
    contextText(readsMinute(code)),
    ...(findsOwner ? [rootOwnerText(read.includes('Jobs'))] : []),
    ...(own === '' ? [] : [own]),
    `const formula: (ctx: Context${kind === 'singleton' ? '' : `, item: Items[${item}]`}) => Output =`,
  ];
  return `// ${name}, from krtscope's Lab. As ${name}.graph.ts in the folder that --graph names it is live within a second.
// In a program of your own, call build with your engine and your collections.
import {${[...new Set(imports)].sort().join(', ')}, type Collection, type Engine, type Filter, type HandlerContext} from 'krtscope/krt';
${[types, sharedTypes, discardText, ...(kind === 'singleton' ? [] : [keyText]), ...filters.texts, ...helpers, ...(mentionsWord(code, 'param') ? [paramText(draft)] : [])].join('\n').replaceAll('FORMULA', () => name)}

export function build(graph: {engine: Engine; collection(name: any): unknown}) {
${indent(body.join('\n'))}
${indent(formulaCode, 4)}
  ;
${indent(endText({...draft, code}, kind === 'singleton' ? 'graph.engine' : collectionText(input ?? '')))}
}
`;
}

function collectionText(name: string): string {
  const group = parseGroupName(name);
  if (group !== undefined)
    return `groupsOf(${collectionText(group.collection)}, ${JSON.stringify(group.path)})`;
  return `graph.collection(${JSON.stringify(name)}) as Collection<Items[${JSON.stringify(name)}]>`;
}

/** Groups that the code names are made once. */
function collectionFunction(read: readonly string[]): string {
  const groups = read.filter(name => parseGroupName(name) !== undefined);
  if (groups.length === 0)
    return 'const collection = <N extends keyof Items>(name: N) => graph.collection(name) as Collection<Items[N]>;';
  return `const groups: Record<string, Collection<any>> = {${groups.map(name => `${JSON.stringify(name)}: ${collectionText(name)}`).join(', ')}};
const collection = <N extends keyof Items>(name: N) => groups[name] ?? graph.collection(name) as Collection<Items[N]>;`;
}

const sharedTypes = `type Labels = {readonly [name: string]: string};
type Output = string | number | boolean | object | null | undefined | void;
/** What a fetch selects. */
interface Selection<T> {
  readonly filters: readonly Filter[];
  readonly ' item'?: (item: T) => void;
}
interface Context {
  fetch<T>(from: Collection<T>, ...selections: Selection<NoInfer<T>>[]): readonly T[];
  fetchOne<T>(from: Collection<T>, ...selections: Selection<NoInfer<T>>[]): T | undefined;
  minute(): number;
  discard(): never;
}`;

const discardText = `const discarded = new Error('the result is discarded');
/** Runs the formula. A run that discards its result ends here. */
const orDiscarded = (run: () => Output): Output => {
  try {
    return run();
  } catch (error) {
    if (error === discarded) return undefined;
    throw error;
  }
};`;

/** The rule of docs/formulas.md, "Keys". */
const keyText = `const inputKeys = new WeakMap<object, string>();
let inputKey = '';
/** The row itself if it is a string, its field key, its metadata, or the key of its input. */
const rowKey = (row: any): string => {
  if (typeof row === 'string') return row;
  if (typeof row?.key === 'string') return row.key;
  const {name, namespace} = row?.metadata ?? {};
  if (typeof name === 'string' && name !== '') return namespace ? \`\${namespace}/\${name}\` : name;
  return (typeof row === 'object' && row !== null ? inputKeys.get(row) : undefined) ?? inputKey;
};
/** Rows without a key of their own get the key of their input. */
const withKeyOf = (item: any, row: Output): unknown => {
  inputKey = '';
  inputKey = rowKey(item);
  if (typeof row === 'object' && row !== null) inputKeys.set(row, inputKey);
  return row ?? undefined;
};`;

const contextText = (hasClock: boolean) => `const contextOf = (ctx: HandlerContext): Context => ({
  fetch: (from, ...selections) => fetch(ctx, from, ...selections.flatMap(one => one.filters)),
  fetchOne: (from, ...selections) => fetchOne(ctx, from, ...selections.flatMap(one => one.filters)),
  minute: () => ${hasClock ? `fetchOne(ctx, ${CLOCK})?.minute ?? 0` : '0'},
  discard: () => {
    ctx.discardResult();
    throw discarded;
  },
});`;

const rootOwnerText = (hasJobs: boolean) => `let running: HandlerContext | undefined;
const owners: Record<string, Collection<any>> = {ReplicaSet: ReplicaSets${hasJobs ? ', Job: Jobs' : ''}};
const rootOwner = (item: unknown): {kind: string; name: string} | undefined => {
  const owner = ownerOf(item);
  const from = owner && owners[owner.kind];
  if (owner === undefined || from === undefined || running === undefined) return owner;
  const found = fetchOne(running, from, filterKey(\`\${namespaceOf(item)}/\${owner.name}\`));
  return (found === undefined ? undefined : rootOwner(found)) ?? owner;
};`;

function paramText({params = {}}: Draft): string {
  return `/** Values that differ from the defaults in the code. */
const params: Record<string, any> = ${JSON.stringify(params)};
const param = <T extends string | number | boolean>(name: string, value: T): T extends string ? string : T extends number ? number : boolean =>
  params[name] ?? value;`;
}

function endText({name, kind, code}: Draft, from: string): string {
  const start = mentionsWord(code, 'rootOwner') ? 'running = ctx;\n    ' : '';
  const options = `name: ${JSON.stringify(name)}`;
  if (kind === 'singleton')
    return `return newSingleton(${from}, (ctx): unknown => {
    ${start}return orDiscarded(() => formula(contextOf(ctx))) ?? undefined;
  }, {${options}});`.replaceAll('\n  ', '\n');
  const run = 'orDiscarded(() => formula(contextOf(ctx), item))';
  if (kind === 'one')
    return `return newCollection(${from}, (ctx, item): unknown => {
    ${start}return withKeyOf(item, ${run});
  }, {${options}, key: rowKey});`.replaceAll('\n  ', '\n');
  return `return newManyCollection(${from}, (ctx, item): unknown[] => {
    ${start}return [...((${run} ?? []) as Iterable<unknown>)].filter(row => row !== null && row !== undefined);
  }, {${options}, key: rowKey});`.replaceAll('\n  ', '\n');
}

function indent(text: string, by = 2): string {
  return text
    .split('\n')
    .map(line => (line === '' ? line : ' '.repeat(by) + line))
    .join('\n');
}
