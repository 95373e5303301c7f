// The text inside a collection's node: name, numbers, and the last changed items.

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {freshnessOf, isStale} from '../../freshness/freshness.ts';
import {KindMark} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {Sparkline} from '../../ui/indicators/Sparkline.tsx';
import {ageText} from '../../ui/text/Age.tsx';
import {syncWaitText} from '../../ui/text/sync-wait-text.ts';
import {isWaiting} from '../drawing/node-rank.ts';
import type {SceneNode} from '../drawing/scene.ts';
import {useGraphContext} from '../graph-context.ts';
import type {WaveCount} from '../waves/wave-sentence.ts';
import type {Activity} from './activity.ts';
import {heatValue} from './heat.ts';
import {LastItems} from './LastItems.tsx';
import {shortName} from './node-size.ts';
import './node-body.css';

export function NodeBody({
  node,
  collection,
  now,
  selected,
  activity,
}: {
  node: SceneNode;
  collection: CollectionNode;
  now: number;
  selected: boolean;
  activity: Activity;
}) {
  return (
    <>
      <span className="node-line node-head">
        <span className="node-initial" aria-hidden="true">
          {node.id.slice(0, 2)}
        </span>
        <span className="node-title" title={node.id}>
          {shortName(node.id)}
        </span>
        {node.drawn && node.drawn.copies.length > 0 ? (
          <span className="node-copies">×{node.drawn.copies.length + 1}</span>
        ) : null}
        {node.drawn?.members ? (
          <span className="node-copies">{node.drawn.members.length}</span>
        ) : (
          <KindMark kind={collection.kind} />
        )}
        <NodeGlyph collection={collection} activity={activity} />
      </span>
      <span className="node-line node-facts">
        {node.drawn?.members ? (
          <GroupFacts collection={collection} members={node.drawn.members} />
        ) : (
          <NodeFacts collection={collection} now={now} id={node.id} />
        )}
      </span>
      {selected ? <LastItems collection={collection} now={now} /> : null}
    </>
  );
}

function NodeGlyph({collection, activity}: {collection: CollectionNode; activity: Activity}) {
  const {moment, counts, writes} = useGraphContext();
  if (collection.state === 'forbidden')
    return (
      <span className="node-glyph node-lock">
        <Icon name="lock" size={14} />
      </span>
    );
  if (isWaiting(collection))
    return (
      <span className="node-glyph node-clock">
        <Icon name="clock" size={14} />
      </span>
    );
  if (collection.failed > 0)
    return (
      <span className="node-glyph">
        <StateGlyph tone="error" />
      </span>
    );
  const {last} = collection;
  if (moment !== null) {
    const count = counts.get(collection.name);
    if (!count && !writes.has(collection.name)) return null;
    const still = count !== undefined && count.changed === 0;
    return (
      <span className="node-glyph">
        <StateGlyph tone={still ? 'noop' : 'changed'} />
      </span>
    );
  }
  if (activity === 'busy') return <span className="node-glyph node-busy" title="changes often" />;
  if (!last || activity !== 'news') return null;
  return (
    <span className="node-glyph">
      <StateGlyph outcome={last.outcome} />
    </span>
  );
}

/** Health first: what fails, what waits, then the numbers. */
function GroupFacts({collection, members}: {collection: CollectionNode; members: readonly CollectionNode[]}) {
  const waiting = members.filter(isWaiting).length;
  return (
    <>
      <b>{collection.size.toLocaleString('en')}</b>
      <span>{collection.size === 1 ? 'item' : 'items'}</span>
      {collection.failed > 0 ? (
        <span className="node-error-words">{collection.failed} failed</span>
      ) : waiting > 0 ? (
        <span className="node-stale-words">{waiting} waiting</span>
      ) : collection.rate > 0 ? (
        <span>{collection.rate.toLocaleString('en')}/min</span>
      ) : null}
    </>
  );
}

function NodeFacts({collection, now, id}: {collection: CollectionNode; now: number; id: string}) {
  const {counts, writes, moment, notRun, heat} = useGraphContext();
  if (collection.state === 'forbidden')
    return <span className="node-error-words">403: not allowed to list</span>;
  if (collection.state === 'not installed') return <span>not installed</span>;
  if (collection.state === 'left out') return <span>left out</span>;
  if (!collection.synced) return <span className="node-stale-words">{syncWaitText(collection, true)}</span>;
  const fresh = isStale(collection) ? freshnessOf(collection, now) : undefined;
  if (fresh)
    return (
      <>
        <b>{collection.size.toLocaleString('en')}</b>
        <span className="node-stale-words">{fresh.words}</span>
      </>
    );
  const wave = counts.get(id);
  const size = <b>{collection.size.toLocaleString('en')}</b>;
  if (heat !== 'none')
    return (
      <>
        {size}
        <span>
          {heat} {heatValue(collection, heat).toLocaleString('en')}
        </span>
      </>
    );
  if (collection.failed > 0)
    return (
      <>
        {size}
        <span className="node-error-words">{collection.failed} failed</span>
      </>
    );
  if (wave && wave.changed === 0 && wave.failed === 0 && wave.runs > 0)
    return (
      <>
        {size}
        <span
          className="node-stopped"
          title={`${wave.runs} ${wave.runs === 1 ? 'run' : 'runs'}, all equal: the wave stopped here`}
        >
          ■ {wave.runs} equal
        </span>
      </>
    );
  if (notRun.has(id))
    return (
      <>
        {size}
        <span title="did not run, because its input is equal">not run</span>
      </>
    );
  if (moment !== null && (wave || writes.has(id)))
    return (
      <>
        {size}
        <span>
          {wave ? waveWords(wave) : `${writes.get(id)} ${writes.get(id) === 1 ? 'write' : 'writes'}`}
        </span>
      </>
    );
  if (collection.kind === 'source')
    return (
      <>
        {size}
        {collection.last ? (
          <span title={`last write: ${collection.last.outcome}`}>
            {ageText(now - collection.last.at)} ago
          </span>
        ) : null}
      </>
    );
  return (
    <>
      {size}
      <span>{collection.rate > 0 ? `${collection.rate.toLocaleString('en')}/min` : 'idle'}</span>
      {collection.spark.some(value => value > 0) ? (
        <span className="node-spark">
          <Sparkline values={collection.spark} width={48} height={16} />
        </span>
      ) : null}
    </>
  );
}

function waveWords({changed, equal, failed}: WaveCount): string {
  return [
    changed > 0 ? `${changed} changed` : '',
    equal > 0 ? `${equal} equal` : '',
    failed > 0 ? `${failed} failed` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
