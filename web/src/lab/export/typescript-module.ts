// Exports the draft as a TypeScript module for krtscope/krt. The formula's text stays unchanged.
import type {Draft} from '../draft/drafts.ts';
import {helperTexts} from './helper-texts.ts';

const filters: Record<string, string> = {
  key: 'filterKey',
  keys: 'filterKeys',
  namespace: 'filterNamespace',
  label: 'filterLabel',
  selects: 'filterSelects',
  selectsNonEmpty: 'filterSelectsNonEmpty',
};
const constructors = {one: 'newCollection', many: 'newManyCollection', singleton: 'newSingleton'} as const;

function mentionsWord(code: string, word: string): boolean {
  return new RegExp(`(?<![\\w$.])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(code);
}

function callsFunction(code: string, word: string): boolean {
  return new RegExp(`(?<![\\w$.])${word}\\(`).test(code);
}

/** `--graph DIR` calls `build` of a `*.graph.ts`. Other programs can call it too. */
export function typescriptModule(draft: Draft, collections: readonly string[]): string {
  const {name, kind, input, code} = draft;
  const imports = [
    constructors[kind],
    'fetch',
    'fetchOne',
    'type Collection',
    'type Filter',
    'type HandlerContext',
  ];
  for (const [word, own] of Object.entries(filters))
    if (callsFunction(code, word)) imports.push(`${own} as ${word}`);
  const shims: string[] = [];
  if (callsFunction(code, 'name')) {
    imports.push('filterObjectName');
    shims.push('const name = (name: string, namespace?: string) => filterObjectName({name, namespace});');
  }
  if (callsFunction(code, 'generic')) {
    imports.push('filterGeneric');
    shims.push('const generic = (test: (item: any) => unknown) => filterGeneric(test);');
  }
  if (callsFunction(code, 'index')) {
    imports.push('filterIndex', 'newIndex');
    shims.push(indexShim);
  }
  shims.push(...helperTexts(code));
  const read = collections.filter(
    one => one !== name && /^[A-Za-z_$][\w$]*$/.test(one) && mentionsWord(code, one),
  );
  const named = read.map(one => `  const ${one} = collection(${JSON.stringify(one)});`);
  const given = kind === 'singleton' ? 'engine' : `collection(${JSON.stringify(input)})`;
  const parameters = kind === 'singleton' ? 'handler' : 'handler, item';
  const call = kind === 'singleton' ? 'formula(face(handler))' : 'formula(face(handler), item)';
  return `// ${name}, from krtscope's Lab. As ${name}.graph.ts in the folder that --graph names it is live within a second.
import {${[...new Set(imports)].sort().join(', ')}} from 'krtscope/krt';

export function build({${kind === 'singleton' ? 'engine, collection' : 'collection'}}: GraphModule) {
${[...named, ...shims.map(shim => indent(shim))].join('\n')}
  const face = (ctx: HandlerContext) => ({
    fetch: <T>(from: Collection<T>, ...filters: Filter[]) => fetch(ctx, from, ...filters),
    fetchOne: <T>(from: Collection<T>, ...filters: Filter[]) => fetchOne(ctx, from, ...filters),
    discard: () => ctx.discardResult(),
  });
  const formula: (ctx: ReturnType<typeof face>${kind === 'singleton' ? '' : `, item: Items[${JSON.stringify(input)}]`}) => ${kind === 'many' ? 'Iterable<unknown>' : 'unknown'} =
${indent(code.trim().replace(/;$/, ''), 4)};
  return ${constructors[kind]}(${given}, (${parameters}) => ${call}, {name: ${JSON.stringify(name)}});
}
`;
}

const indexShim = `const indexes = new Map<string, any>();
const index = (from: Collection<any>, path: string, value: unknown) => {
  const id = \`\${from.name} \${path}\`;
  const at = (item: any) => path.split('.').reduce((held: any, part) => held?.[part], item);
  if (!indexes.has(id)) indexes.set(id, newIndex(from, id, item => (at(item) === undefined ? [] : [String(at(item))])));
  return filterIndex(indexes.get(id), String(value));
};`;

function indent(text: string, by = 2): string {
  return text
    .split('\n')
    .map(line => (line === '' ? line : ' '.repeat(by) + line))
    .join('\n');
}
