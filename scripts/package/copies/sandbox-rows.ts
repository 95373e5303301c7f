// Prints the rows of formulas as the sandbox computes them. Reads a CopyTask from the file that it is given.
import '../../../server/src/formula/sandbox/lockdown.ts';
import type {CompiledFormula} from '../../../server/src/formula/compile/formula-compiler.ts';
import {parseGroupName} from '../../../shared/src/groups/group-name.ts';

const {readFileSync} = await import('node:fs');
const {SandboxedFormula} = await import('../../../server/src/formula/sandbox/sandboxed-formula.ts');
const {createPathIndex} = await import('../../../server/src/formula/sandbox/path-index.ts');
const {createEngine, newCollection, newManyCollection, newSingleton, newStaticCollection} = await import(
  '../../../server/src/krt/index.ts'
);

interface CopyTask {
  drafts: {name: string; kind: 'one' | 'many' | 'singleton'; input?: string; compiled: CompiledFormula}[];
  objects: Record<string, never[]>;
  minute: number;
}

const {drafts, objects, minute} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CopyTask;
const answers: Record<string, unknown> = {};
for (const {name, kind, input = '', compiled} of drafts) {
  const engine = createEngine({checks: 'off'});
  const clock = newStaticCollection(engine, [{key: 'minute', minute}], {name: 'Clock', key: one => one.key});
  const collections = new Map<string, unknown>([['Clock', clock]]);
  for (const [source, items] of Object.entries(objects))
    collections.set(source, newStaticCollection(engine, items, {name: source}));
  const indexes = new Map<string, unknown>();
  const formula = new SandboxedFormula(
    {name, kind, compiled},
    {
      collection: one => collections.get(one) as never,
      index: (collection, path) => {
        const id = `${collection.name} ${path}`;
        if (!indexes.has(id)) indexes.set(id, createPathIndex(collection, path));
        return indexes.get(id) as never;
      },
    },
  );
  const run = (ctx: unknown, item?: unknown) => formula.run(ctx as never, item) as never;
  const options = {name, key: (row: unknown) => formula.keys.of(row)};
  const group = parseGroupName(input);
  const from = (
    group === undefined
      ? collections.get(input)
      : createPathIndex(collections.get(group.collection) as never, group.path).asCollection({name: input})
  ) as never;
  if (kind === 'singleton') {
    answers[name] = {static: newSingleton(engine, run, options).get()};
    continue;
  }
  const rows = kind === 'many' ? newManyCollection(from, run, options) : newCollection(from, run, options);
  const problems = (objects[input] ?? []).flatMap(item => rows.rowState(formula.keys.of(item))?.error ?? []);
  const found: Record<string, unknown> = {};
  rows.register(({key}) => {
    found[key] = rows.getKey(key);
  });
  answers[name] = found;
  if (problems.length > 0) answers[name] = String(problems[0]);
}
console.log(JSON.stringify(answers));
