import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  filterLabel,
  filterNamespace,
  newCollection,
  newStaticCollection,
} from './index.ts';

interface Thing {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const options = (name: string) => ({
  name,
  key: (t: Thing) => t.name,
  namespace: () => 'n',
  labels: (t: Thing) => t.labels,
});

for (const filters of [1, 2]) {
  test(`[F2] labels in an object that the formula uses again are read anew, with ${filters} filters`, () => {
    const engine = createEngine({checks: 'off'});
    const x = {name: 'x', labels: {app: 'x'}};
    const y = {name: 'y', labels: {app: 'y'}};
    const source = newStaticCollection<Thing>(engine, [x, y], options('source'));
    const inputs = newStaticCollection<Thing>(engine, [{name: 'i', labels: {app: 'x'}}], options('inputs'));
    const wanted: Record<string, string> = {};
    const rows = newCollection(
      inputs,
      (ctx, item): Thing => {
        wanted.app = item.labels.app ?? '';
        const label = filterLabel(wanted);
        const found =
          filters === 1 ? fetch(ctx, source, label) : fetch(ctx, source, filterNamespace('n'), label);
        return {name: item.name, labels: {found: found.map(t => t.name).join()}};
      },
      options('rows'),
    );
    expect(rows.getKey('i')?.labels.found).toBe('x');
    inputs.updateObject({name: 'i', labels: {app: 'x'}});
    inputs.updateObject({name: 'i', labels: {app: 'y'}});
    expect(rows.getKey('i')?.labels.found).toBe('y');
    source.updateObject({name: 'y2', labels: {app: 'y'}});
    expect(rows.getKey('i')?.labels.found).toBe('y,y2');
  });
}
