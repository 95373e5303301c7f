// The value as neat YAML with the changed lines marked, or what changed as a difference.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {useKeys} from '../app/keys/keys.ts';
import {askOrigin, useParam} from '../store/hooks.ts';
import {Button} from '../ui/Button.tsx';
import {changeLines, Diff} from '../ui/Diff.tsx';
import {Empty} from '../ui/Panel.tsx';
import {Yaml} from '../ui/Yaml.tsx';
import './value-tab.css';

export function ValueTab({item}: {item: ItemDetail}) {
  const [diff, setDiff] = useParam('diff');
  const differs = item.previous !== undefined && item.changed.length > 0;
  useKeys({
    d: {
      says: 'difference to the version before',
      group: 'Understand',
      run: () => (differs ? setDiff(diff === null ? '1' : null) : false),
    },
  });
  if (item.value === null) return <NoValue item={item} />;
  return (
    <div className="inspector-scroll">
      {diff !== null && differs ? (
        <div className="inspector-diff">
          <Diff
            label="Changed in the last run"
            lines={changeLines(
              item.changed.map(path => ({
                path,
                old: readPath(item.previous, path),
                new: readPath(item.value, path),
              })),
            )}
          />
        </div>
      ) : (
        <Yaml
          value={item.value}
          previous={item.previous}
          changed={item.changed}
          onAsk={field => askOrigin({collection: item.collection, key: item.key, field})}
        />
      )}
    </div>
  );
}

function NoValue({item}: {item: ItemDetail}) {
  const why = (
    <Button
      size="small"
      keys="o"
      onClick={() => askOrigin({collection: item.collection, key: item.key, input: true})}
    >
      Why empty?
    </Button>
  );
  if (item.outcome === 'deleted')
    return <Empty title="It is gone">Why it is gone says what removed it.</Empty>;
  return (
    <Empty title="empty" actions={why}>
      The formula ran for this input and returned nothing.
    </Empty>
  );
}
