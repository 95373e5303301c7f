import {expect, test} from 'vitest';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import type {FormulaContext} from './formula-context.ts';
import {FormulaHelpers} from './formula-helpers.ts';
import {GroupCollections} from './group-collections.ts';
import {Quarantine} from './quarantine.ts';
import {SavedFormulaService} from './saved-formula-service.ts';
import {type FormulaStore, StoreChanged, type StoredFormula} from './stores/formula-store.ts';

/** A store in memory. Its revisions count up. */
function memoryStore(...stored: StoredFormula[]): FormulaStore & {held: Map<string, StoredFormula>} {
  const held = new Map(stored.map(one => [one.name, one]));
  let revisions = stored.length;
  return {
    held,
    place: name => name,
    open: async () => [...held.values()],
    write: async (formula, expected) => {
      if (held.get(formula.name)?.revision !== expected) throw new StoreChanged('somebody else wrote');
      revisions += 1;
      const now = {...formula, revision: `${revisions}`};
      held.set(formula.name, now);
      return now;
    },
    remove: async name => void held.delete(name),
    close: () => {},
  };
}

/** An engine process that refuses what `refuses` says. */
function createServiceContext(
  refuses: (order: InstallableFormula) => boolean,
  told: string[] = [],
): FormulaContext {
  const command = async ({command: name, formula}: {command: string; formula?: InstallableFormula}) => {
    told.push(name);
    if (name === 'put-formula' && formula !== undefined && refuses(formula))
      throw new EngineFailure({code: 'internal', message: 'it died of it twice', hint: ''});
  };
  const engine = {
    command,
    onQuarantine: () => () => {},
    ask: async () => ({collections: [], edges: []}),
  } as never;
  return {
    engine,
    lab: {try: async () => ({checks: [], rows: []}), stoppedDraft: () => undefined} as never,
    quarantine: new Quarantine(),
    addSource: async () => {},
    startClock: async () => {},
    groups: new GroupCollections(engine),
    helpers: new FormulaHelpers('/nowhere', () => {}),
    log: () => {},
  };
}

test.each([
  ['the text', {code: '(ctx) => ({n: 2})'}, 'Sum'],
  ['the name', {name: 'Total', code: '(ctx) => ({n: 2})'}, 'Total'],
])(
  'what was written and then refused by the engine process is kept as it stands there: %s',
  async (_, change, name) => {
    const store = memoryStore({name: 'Sum', code: '(ctx) => ({n: 1})', kind: 'singleton', revision: '1'});
    const service = new SavedFormulaService(
      createServiceContext(({code}) => code.includes('2')),
      [store],
    );
    service.start();
    await expect(service.change('Sum', change)).rejects.toThrow('it died of it twice');
    expect(await service.list()).toMatchObject([
      {name, code: '(ctx) => ({n: 2})', state: 'failing', error: {message: 'it died of it twice'}},
    ]);
    // The next change finds the version that it replaces.
    expect(await service.change(name, {code: '(ctx) => ({n: 3})'})).toMatchObject({
      code: '(ctx) => ({n: 3})',
    });
    expect([...store.held.values()]).toMatchObject([{name, code: '(ctx) => ({n: 3})'}]);
    service.close();
  },
);

test('what ran before a refused change is dropped with its formula; a new one that is refused leaves nothing', async () => {
  const store = memoryStore({name: 'Sum', code: '(ctx) => ({n: 1})', kind: 'singleton', revision: '1'});
  const told: string[] = [];
  const service = new SavedFormulaService(
    createServiceContext(({code}) => code.includes('2'), told),
    [store],
  );
  service.start();
  await service.change('Sum', {code: '(ctx) => ({n: 2})'}).catch(() => {});
  await service.remove('Sum');
  expect(told).toEqual(['put-formula', 'put-formula', 'drop-formula']);
  const made = service.create({name: 'Two', code: '(ctx) => ({n: 2})', kind: 'singleton'});
  await expect(made).rejects.toThrow('it died of it twice');
  expect([await service.list(), [...store.held.keys()]]).toEqual([[], []]);
  service.close();
});

test('a formula whose old text was changed by somebody else is not renamed by half', async () => {
  const store = memoryStore({name: 'Sum', code: '(ctx) => ({n: 1})', kind: 'singleton', revision: '1'});
  const {remove} = store;
  store.remove = async (name, expected) => {
    if (name === 'Sum') throw new StoreChanged('somebody else wrote');
    await remove(name, expected);
  };
  const service = new SavedFormulaService(
    createServiceContext(() => false),
    [store],
  );
  service.start();
  await expect(service.change('Sum', {name: 'Total'})).rejects.toMatchObject({code: 'out-of-date'});
  expect([...store.held.keys()]).toEqual(['Sum']);
  expect(await service.list()).toMatchObject([{name: 'Sum'}]);
  service.close();
});
