// "Copy as TypeScript": every recipe and 50 generated formulas pass strict tsc in an empty project with the packed
// tarball, run there as they are, and give the rows of the sandbox.
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {EngineLink} from '../../../server/src/engine/link/engine-link.ts';
import {compileFormula} from '../../../server/src/formula/compile/formula-compiler.ts';
import {compileModule} from '../../../server/src/formula/compile/module-compiler.ts';
import {
  type RecipeObject,
  recipeObjects,
} from '../../../server/src/formula/sandbox/testing-recipe-objects.ts';
import {declareScope} from '../../../server/src/session/types/declarations.ts';
import {gatewayDocument} from '../../../server/src/session/types/testing-gateway-document.ts';
import {collectionsToDeclare} from '../../../web/src/lab/export/item-types.ts';
import {readCollections, typescriptModule} from '../../../web/src/lab/export/typescript-module.ts';
import {emptyFolder, install, runForOutput, tarball, typeProblems} from '../testing-tarball.ts';
import {generatedDrafts, graph, helperFile, recipeDrafts, sharingDrafts} from './formulas.ts';

const seed = Number(process.env.KRTSCOPE_SEED ?? 1);
const drafts = [...recipeDrafts, ...sharingDrafts, ...generatedDrafts(50, seed)];
const link = {ask: async () => graph} as unknown as EngineLink;
let folder: string;
let task: string;

beforeAll(async () => {
  const file = await tarball();
  folder = emptyFolder('copies');
  await install(folder, file);
  const manifest = join(folder, 'package.json');
  writeFileSync(manifest, JSON.stringify({...JSON.parse(readFileSync(manifest, 'utf8')), type: 'module'}));
  for (const draft of drafts) {
    const own = collectionsToDeclare(readCollections(draft, graph, helperFile), graph);
    const declarations = await declareScope(link, async () => gatewayDocument, own);
    writeFileSync(join(folder, `${draft.name}.ts`), typescriptModule(draft, graph, declarations, helperFile));
  }
  const samples = fc.sample(recipeObjects, {numRuns: 20, seed});
  const objects = samples.sort((a, b) => (b.Pods?.length ?? 0) - (a.Pods?.length ?? 0))[0]!;
  const compiled = drafts.map(async ({name, kind, input, code, params}) => ({
    name,
    kind,
    input,
    compiled: await compileFormula(code, kind, input, params, helperFile),
  }));
  task = join(folder, 'task.json');
  writeFileSync(
    task,
    JSON.stringify({
      drafts: await Promise.all(compiled),
      objects: withEveryCollection(objects),
      minute: Date.parse('2026-06-20T00:00:00Z'),
    }),
  );
  writeFileSync(join(folder, 'run.ts'), program);
}, 300_000);

afterAll(() => rmSync(folder, {recursive: true, force: true}));

function withEveryCollection(objects: Record<string, RecipeObject[]>): Record<string, RecipeObject[]> {
  const statuses = (list: RecipeObject[] = []) => list.map(one => ({status: {}, ...one}));
  const all = Object.fromEntries(graph.collections.map(({name}) => [name, statuses(objects[name])]));
  return {...all, Secrets: [{metadata: {name: 'web', namespace: 'shop'}, type: 'Opaque', data: {a: 'MQ=='}}]};
}

/** The user's program: it builds each copy over collections of its own and prints the rows. */
const program = `import {readFileSync} from 'node:fs';
import {createEngine, newStaticCollection, type Collection} from 'krtscope/krt';
${drafts.map(({name}) => `import {build as build${name}} from './${name}.ts';`).join('\n')}

const builds = {${drafts.map(({name}) => `${name}: build${name}`).join(', ')}};
const {objects, minute} = JSON.parse(readFileSync('task.json', 'utf8'));
const answers: Record<string, unknown> = {};
for (const [name, build] of Object.entries(builds)) {
  const engine = createEngine();
  const clock = newStaticCollection(engine, [{key: 'minute', minute}], {name: 'Clock', key: one => one.key});
  const collections = new Map<string, Collection<any>>([['Clock', clock]]);
  for (const [source, list] of Object.entries(objects)) collections.set(source, newStaticCollection(engine, list as any[], {name: source}));
  const made: any = build({engine, collection: (one: string) => collections.get(one)});
  const rows: Record<string, unknown> = {};
  made.register((change: any) => (rows[change.key] = made.getKey(change.key)));
  answers[name] = rows;
}
console.log(JSON.stringify(answers));
`;

test('every copy passes strict tsc', async () => {
  expect(drafts.length).toBeGreaterThan(70);
  expect(await typeProblems(folder, ['run.ts'])).toBe('');
}, 180_000);

test('every copy runs as it is and gives the rows of the sandbox', async () => {
  const copied = await runForOutput(process.execPath, ['run.ts'], {cwd: folder});
  expect(copied).toMatchObject({code: 0, err: expect.not.stringContaining('Error')});
  const script = fileURLToPath(new URL('./sandbox-rows.ts', import.meta.url));
  const sandboxed = await runForOutput(process.execPath, [script, task], {cwd: folder});
  expect(sandboxed).toMatchObject({code: 0, err: ''});
  const rows = JSON.parse(sandboxed.out) as Record<string, Record<string, unknown>>;
  expect(JSON.parse(copied.out)).toEqual(rows);
  expect(Object.values(rows).filter(one => Object.keys(one).length > 0).length).toBeGreaterThan(40);
}, 120_000);

test('every copy is a graph module, too', async () => {
  for (const {name} of drafts) {
    const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
    const compiled = await compileModule(`${name}.graph.ts`, async path =>
      path === `${name}.graph.ts` ? text : undefined,
    );
    expect(compiled.files).toHaveLength(1);
  }
});
