// Under an answer that stands on old rows: as of when they are, and who has not been heard since.
import {useCollection} from '../../stream/use-subscription.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import './stale-data-note.css';

export function StaleDataNote({collection}: {collection: string}) {
  const node = useCollection(collection);
  if (node?.current !== false) return null;
  const source = node.behind ?? node.name;
  return (
    <p className="stale-ground">
      <Icon name="clock" size={13} />
      {node.asOf === undefined
        ? `${source} has never been heard.`
        : `As of ${clockText(node.asOf)}; ${source} has not been heard since.`}
    </p>
  );
}
