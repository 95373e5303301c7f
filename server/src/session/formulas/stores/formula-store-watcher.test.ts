import {expect, test} from 'vitest';
import type {FormulaContext} from '../formula-context.ts';
import {FormulaHelpers} from '../formula-helpers.ts';
import {GroupCollections} from '../group-collections.ts';
import {Quarantine} from '../quarantine.ts';
import type {CompiledStoredFormula, SavedFormulaRegistry} from '../saved-formula-registry.ts';
import {SavedFormulaService} from '../saved-formula-service.ts';
import type {FormulaStore, StoredFormula} from './formula-store.ts';
import {FormulaStoreWatcher} from './formula-store-watcher.ts';

const good: StoredFormula = {name: 'Good', code: '(ctx) => ({n: 1})', revision: '1'};
/** Like an object of a cluster whose CRD is not ours. */
const bad = {name: 'Bad', revision: '1'} as StoredFormula;

function storeOf(open: () => Promise<StoredFormula[]>): FormulaStore {
  const refused = () => Promise.reject(new Error('nothing is written here'));
  return {place: name => name, open, write: refused, remove: refused, close: () => {}};
}

function createTestContext(said: string[]): FormulaContext {
  const engine = {onQuarantine: () => () => {}, ask: async () => ({collections: [], edges: []})} as never;
  return {
    engine,
    lab: {draft: () => Promise.reject(new Error('no lab'))} as never,
    quarantine: new Quarantine(),
    addSource: async () => {},
    startClock: async () => {},
    groups: new GroupCollections(engine),
    helpers: new FormulaHelpers('/nowhere', () => {}),
    log: problem => said.push(problem),
  };
}

test('a text that cannot even be looked at keeps no other from being made', async () => {
  const said: string[] = [];
  const taken: string[] = [];
  const kept = {
    putWithProblems: async ({stored}: CompiledStoredFormula) => void taken.push(stored.name),
  } as SavedFormulaRegistry;
  const stores = [storeOf(async () => [bad, good])];
  const followed = new FormulaStoreWatcher({
    context: createTestContext(said),
    stores,
    formulas: kept,
    runAlone: work => work(),
  });
  await followed.load();
  followed.close();
  expect(taken).toEqual(['Good']);
  expect(said).toEqual([expect.stringContaining('the formula Bad: ')]);
});

test('a store that cannot be opened is told, and ends nobody', async () => {
  const said: string[] = [];
  const service = new SavedFormulaService(createTestContext(said), [
    storeOf(() => Promise.reject(new Error('it is locked'))),
  ]);
  service.start();
  expect(await service.list()).toEqual([]);
  service.close();
  expect(said).toEqual(['the saved formulas cannot be read: it is locked']);
});
