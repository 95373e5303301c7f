import {expect, test} from 'vitest';
import {createEngine, mapCollection, newCollection, newStaticCollection} from '../../../krt/index.ts';
import {FormulaAnnouncer} from './formula-announcer.ts';
import {createRerunFormulas} from './rerun-formulas.ts';

interface Item {
  key: string;
  n: number;
}

test('a formula that was repeated runs no more: what comes then is not its fault', () => {
  const said: string[] = [];
  const announcer = new FormulaAnnouncer(message =>
    said.push(message.type === 'running' ? message.formula : message.type),
  );
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const run = (name: string, item: Item) => {
    announcer.announceRun(name, name);
    if (item.n > 1) throw new Error('too much');
    return {...item};
  };
  newCollection(items, (_, item) => run('Made', item), {name: 'Made'});
  mapCollection(items, item => run('Mapped', item), {name: 'Mapped'});
  announcer.announceRest();
  said.length = 0;
  const formulas = createRerunFormulas(engine, {over: () => announcer.announceRest()});
  formulas.repeat('Made', {key: 'a', item: {key: 'a', n: 1}}, () => [], 1);
  expect(said.splice(0)).toEqual(['Made', 'rested']);
  formulas.repeat('Made', {key: 'a', item: {key: 'a', n: 2}}, () => [], 1);
  expect(said.splice(0)).toEqual(['Made', 'rested']);
  formulas.view('Mapped', [{key: 'a', n: 1}], 1);
  expect(said.splice(0)).toEqual(['Mapped', 'rested']);
  expect(() => formulas.repeat('Made', {key: 'a', item: {key: 'a', n: 1}}, () => [], 1)).not.toThrow();
  expect(announcer.isBusy).toBe(false);
});
