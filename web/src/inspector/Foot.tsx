// Why the item is as it is, in one sentence, and where to read more.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {navigate} from '../store/app.ts';
import {Button} from '../ui/Button.tsx';
import {CopyButton} from '../ui/CopyButton.tsx';

const titles: Partial<Record<ItemDetail['outcome'], string>> = {
  equal: 'Why it stayed equal',
  empty: 'Why it is empty',
  failed: 'Why it failed',
  suspended: 'Why it waits',
  deleted: 'Why it is gone',
  discarded: 'Why it was discarded',
  added: 'Why it appeared',
};

export function Foot({item}: {item: ItemDetail}) {
  return (
    <footer className="inspector-foot">
      <span className="label">{titles[item.outcome] ?? 'Why it changed'}</span>
      <p className="inspector-sentence">{item.sentence}</p>
      {item.error ? <p className="inspector-error mono">{item.error}</p> : null}
      <div className="inspector-buttons">
        <Button look="primary" size="small" keys="w" onClick={() => navigate({view: 'why'})}>
          Why
        </Button>
        <Button size="small" keys="Shift+W" onClick={() => navigate({view: 'why-not'})}>
          Why not
        </Button>
        <Button size="small" keys="g" onClick={() => navigate({view: 'graph'})}>
          Graph
        </Button>
        <span className="inspector-space" />
        <CopyButton text={item.sentence} label="Copy the sentence" />
      </div>
    </footer>
  );
}
