// The value as YAML with marked changes, or as a diff.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {openOrigin, useParam} from '../store/navigation.ts';
import {changeLines, Diff} from '../ui/code/Diff.tsx';
import {Yaml} from '../ui/code/Yaml.tsx';
import {Button} from '../ui/controls/Button.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';
import {FieldImpact} from '../what-if/ImpactPanel.tsx';
import './value-tab.css';

export function ValueTab({item}: {item: ItemDetail}) {
  const [diff, setDiff] = useParam('diff');
  const [impact, setImpact] = useState<{field: string; of: string} | null>(null);
  const differs = item.previous !== undefined && item.changed.length > 0;
  useKeys({
    d: {
      says: 'diff with the previous version',
      group: 'Understand',
      run: () => (differs ? setDiff(diff === null ? '1' : null) : false),
    },
  });
  if (item.value === null) return <NoValue item={item} />;
  return (
    <div className="inspector-scroll">
      {impact === null || impact.of !== item.key ? null : (
        <FieldImpact item={item} field={impact.field} onClose={() => setImpact(null)} />
      )}
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
          onAsk={field => openOrigin({collection: item.collection, key: item.key, field})}
          onImpact={field => setImpact({field, of: item.key})}
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
      onClick={() => openOrigin({collection: item.collection, key: item.key, input: true})}
    >
      Why empty?
    </Button>
  );
  if (item.outcome === 'deleted')
    return <EmptyState title="Deleted">The sentence below says what deleted it.</EmptyState>;
  return (
    <EmptyState title="Empty" actions={why}>
      The formula ran for this input and returned no item.
    </EmptyState>
  );
}
