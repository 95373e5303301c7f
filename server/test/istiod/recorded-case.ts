// Makes one change in the cluster of a real istiod and returns it as a recorded case: the documents before and after, the
// log in between, the rows that changed, and the rows of informers that it may go back to.
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import {keyOf} from '../../src/attach/krtz-key.ts';
import {kindOfInformer, type RecordedCase} from '../../src/attach/testing-cases.ts';
import type {WrittenCollection} from '../../src/attach/testing-documents.ts';
import type {IstiodChange} from './istiod-changes.ts';
import type {IstiodProgram} from './istiod-program.ts';

/** The rows that differ, by the uid of their collection. */
function differences(before: unknown, after: unknown): RecordedCase['changed'] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const rowsOf = (document: WrittenCollection[]) =>
    new Map(
      document.flatMap(({uid, name, state}) =>
        Object.entries(state.outputs ?? {}).map(
          ([key, value]) =>
            [`${uid}\n${key}`, {uid, collection: name, key, text: JSON.stringify(value)}] as const,
        ),
      ),
    );
  const [old, now] = [rowsOf(before), rowsOf(after)];
  const changeOf = (
    event: ChangeEventType,
    {uid, collection, key}: {uid: number; collection: string; key: string},
  ) => ({uid, collection, key: keyOf(key), event});
  return [
    ...[...old].flatMap(([id, row]) => (now.has(id) ? [] : [changeOf('delete', row)])),
    ...[...now].flatMap(([id, row]) => {
      const earlier = old.get(id);
      if (earlier?.text === row.text) return [];
      return [changeOf(earlier === undefined ? 'add' : 'update', row)];
    }),
  ];
}

export async function recordCase(
  program: IstiodProgram,
  {what, args, objects, expected: known}: IstiodChange,
  number: number,
): Promise<RecordedCase> {
  await program.quiet();
  const before = await program.document();
  const size = program.logSize;
  const list = objects && {apiVersion: 'v1', kind: 'List', items: objects};
  await program.kubectl.ok(args, what === 'waypoint.yaml' ? program.waypointManifest : list);
  await program.quiet();
  const after = await program.document();
  const changed = differences(before, after);
  const seen = changed
    .filter(({collection}) => /(^|\/)informer\//.test(collection) && !collection.endsWith('/ConfigMaps'))
    .map(({collection, key}) => ({kind: kindOfInformer(collection), key}));
  const expected = new Map([...(known ?? []), ...seen].map(one => [`${one.kind} ${one.key}`, one]));
  return {
    case: number,
    what,
    before,
    after,
    changed,
    log: program.logFrom(size),
    expected: [...expected.values()],
  };
}
