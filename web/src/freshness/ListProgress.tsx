// Progress of a first list or first runs: how many are done, of how many, and the time left.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {Progress} from '../ui/indicators/Progress.tsx';
import {syncWaitText} from '../ui/text/sync-wait-text.ts';
import './list-progress.css';

export function ListProgress({node}: {node: CollectionNode}) {
  const words = syncWaitText(node);
  return (
    <div className="first-list">
      {node.progress ? <Progress of={node.progress.total} done={node.progress.done} label={words} /> : null}
      <p>{words.charAt(0).toUpperCase() + words.slice(1)}.</p>
    </div>
  );
}
