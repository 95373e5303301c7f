// The comparison's other moment, the number of differences, and buttons to step through them.
import {useKeys} from '../app/keys/keys.ts';
import {setParams} from '../store/app.ts';
import {select, useSelection} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useBookmarks} from '../timeline/bookmarks/bookmarks.ts';
import {Button, IconButton} from '../ui/controls/Button.tsx';
import {Menu, type MenuItem} from '../ui/controls/Menu.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {clockText} from '../ui/text/Age.tsx';
import {countDifferences} from './differences.ts';
import {endCompare, type MomentComparison} from './use-compare.ts';
import './compare-bar.css';

export function CompareBar({compared}: {compared: MomentComparison}) {
  const {collection, key} = useSelection();
  const newest = useConnection(link => link.sequence);
  const bookmarks = useBookmarks(state => state.bookmarks);
  const all = (compared.collections ?? []).flatMap(one =>
    one.differences.filter(each => each.kind !== 'added'),
  );
  const at = all.findIndex(one => one.collection === collection && one.key === key);
  const go = (by: number) => {
    const next = all[(at + by + all.length) % Math.max(1, all.length)];
    if (next) select({collection: next.collection, key: next.key});
  };
  useKeys({
    n: {says: 'next difference', group: 'Time', run: () => go(1)},
    'Shift+N': {says: 'previous difference', group: 'Time', run: () => go(at < 0 ? 0 : -1)},
  });
  const items: MenuItem[] = [
    {id: 'now', label: 'now', note: `#${newest}`, onPick: () => setParams({vs: String(newest)})},
    {
      id: 'here',
      label: 'this moment, then move',
      note: `#${compared.shown}`,
      onPick: () => setParams({vs: String(compared.shown)}),
    },
    ...bookmarks.map(one => ({
      id: String(one.sequence),
      label: one.name,
      note: `bookmark, ${clockText(one.at)}`,
      onPick: () => setParams({vs: String(one.sequence)}),
    })),
  ];
  const sum = countDifferences(compared.collections ?? []);
  return (
    <section className="compare-bar" aria-label="Comparison">
      <span>
        <b>#{compared.shown}</b> compared with
      </span>
      <Menu
        label="Compare with"
        items={items}
        trigger={props => (
          <button type="button" {...props} className="compare-with inline-row gap-6">
            {compared.with === newest ? 'now, ' : ''}#{compared.with} <Icon name="down" size={12} />
          </button>
        )}
      />
      {compared.failure ? <span className="compare-failed">{compared.failure.message}</span> : null}
      {compared.collections === undefined ? null : (
        <span className="compare-counts" role="status">
          <span>
            <Icon name="plus" size={12} /> {sum.added} added
          </span>
          <span>
            <Icon name="minus" size={12} /> {sum.removed} removed
          </span>
          <span>
            <StateGlyph tone="changed" size={9} /> {sum.changed} changed
          </span>
        </span>
      )}
      <span className="compare-steps inline-row gap-6">
        <IconButton
          icon="left"
          label="Previous difference"
          keys="Shift+N"
          disabled={all.length === 0}
          onClick={() => go(at < 0 ? 0 : -1)}
        />
        <IconButton
          icon="right"
          label="Next difference"
          keys="n"
          disabled={all.length === 0}
          onClick={() => go(1)}
        />
        <Button size="small" keys="x" onClick={endCompare}>
          Done
        </Button>
      </span>
    </section>
  );
}
