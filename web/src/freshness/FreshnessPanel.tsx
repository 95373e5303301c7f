// The panel beside partly outdated rows: which collections are behind, which source blocks them, what is still
// current.
import type {Graph} from '@krtscope/shared/graph.ts';
import {select} from '../store/navigation.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {KindShape} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ToneWord} from '../ui/indicators/outcome-state.tsx';
import {useNow} from '../ui/text/Age.tsx';
import {collectionsBehind, freshnessOf, isStale, listNames, staleSources} from './freshness.ts';
import './freshness-panel.css';

const SHOWN = 5;

export function FreshnessPanel({graph, onClose}: {graph: Graph; onClose: () => void}) {
  const now = useNow();
  const sources = staleSources(graph);
  const stale = [...sources, ...collectionsBehind(graph)];
  const heard = graph.collections.filter(node => node.kind === 'source' && node.synced && !isStale(node));
  return (
    <aside className="freshness-panel" aria-label="Freshness">
      <header className="freshness-head bar gap-8">
        <Icon name="clock" />
        <b>Freshness</b>
        <span>
          {stale.length} of {graph.collections.length} behind
        </span>
        <IconButton icon="close" label="Close Freshness" onClick={onClose} />
      </header>
      <ul className="freshness-list plain-list">
        {[...stale, ...heard.slice(0, SHOWN)].map(node => {
          const fresh = freshnessOf(node, now);
          return (
            <li key={node.name}>
              <button type="button" onClick={() => select({collection: node.name})}>
                <KindShape kind={node.kind} />
                <span className={`ellipsis ${fresh?.stale ? 'freshness-old' : ''}`} title={node.name}>
                  {node.name}
                </span>
                {fresh?.stale ? (
                  <ToneWord tone="stale">{fresh.words}</ToneWord>
                ) : (
                  <small>{fresh?.words}</small>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {heard.length > SHOWN ? (
        <p className="freshness-more">{heard.length - SHOWN} more are current</p>
      ) : null}
      <p className="label">What is still current</p>
      <p className="freshness-words">
        The rows are the last ones received. Anything about {listNames(sources)} may have changed since.
        Columns without a clock are current.
      </p>
    </aside>
  );
}
