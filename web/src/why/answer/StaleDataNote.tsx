// A note under an answer that uses stale data.
import {useCollection} from '../../stream/use-subscription.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import './stale-data-note.css';

export function StaleDataNote({collection}: {collection: string}) {
  const node = useCollection(collection);
  if (node?.current !== false) return null;
  const source = node.behind ?? node.name;
  return (
    <p className="stale-data">
      <Icon name="clock" size={13} />
      {node.asOf === undefined
        ? `No data from ${source} yet.`
        : `As of ${clockText(node.asOf)}. No updates from ${source} since then.`}
    </p>
  );
}
