// The Inspector shows the selected item or collection. It is a bottom sheet in narrow windows.
import './inspector.css';
import {useLayoutEffect, useRef, useState} from 'react';
import {useNarrow} from '../app/use-narrow.ts';
import {navigate} from '../store/app.ts';
import {useSelection} from '../store/navigation.ts';
import {togglePin, useIsPinned} from '../store/pins.ts';
import {useKind} from '../stream/use-subscription.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {KindMark, KindShape} from '../ui/indicators/collection-kind.tsx';
import {WhyButtons} from './CauseSummary.tsx';
import {CollectionPanel} from './CollectionPanel.tsx';
import {ItemPanel, ItemSheetHead} from './ItemPanel.tsx';

function PinButton({collection, itemKey}: {collection: string; itemKey: string}) {
  const ref = {collection, key: itemKey};
  const pinned = useIsPinned(ref);
  return (
    <IconButton
      icon="pin"
      label={pinned ? 'Unpin this item' : 'Pin this item'}
      pressed={pinned}
      onClick={() => togglePin(ref)}
    />
  );
}

export default function Inspector() {
  const {collection, key} = useSelection();
  return collection === null ? null : <OpenInspector collection={collection} itemKey={key} />;
}

function OpenInspector({collection, itemKey: key}: {collection: string; itemKey: string | null}) {
  const part = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      // Return the focus to the rows. Otherwise Tab would start at the top of the page.
      if (element?.contains(document.activeElement))
        document.querySelector<HTMLElement>('main [role=grid]')?.focus();
    };
  }, []);
  const [wide, setWide] = useState(false);
  const narrow = useNarrow();
  const kind = useKind(collection);
  return (
    <aside
      ref={part}
      className={`shell-inspector inspector ${wide ? 'inspector-wide' : ''} ${narrow ? 'inspector-sheet' : ''}`}
      aria-label="Inspector"
    >
      <header className="inspector-head bar gap-8">
        <KindShape kind={kind} />
        <h2>{collection}</h2>
        {narrow && key !== null ? (
          <ItemSheetHead collection={collection} itemKey={key} />
        ) : (
          <KindMark kind={kind} />
        )}
        <span className="inspector-space" />
        {narrow && key !== null ? <WhyButtons /> : null}
        {key === null ? null : <PinButton collection={collection} itemKey={key} />}
        <IconButton
          icon="widen"
          label={wide ? 'Normal size' : narrow ? 'Full height' : 'Widen'}
          pressed={wide}
          onClick={() => setWide(!wide)}
        />
        <IconButton
          icon="close"
          className="inspector-close"
          label="Close Inspector"
          keys="i"
          onClick={() => navigate({inspector: false})}
        />
      </header>
      {key === null ? (
        <CollectionPanel name={collection} />
      ) : (
        <ItemPanel collection={collection} itemKey={key} narrow={narrow} />
      )}
    </aside>
  );
}
