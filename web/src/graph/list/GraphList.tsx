// The graph as a tree, for keyboards and screen readers: collections, or the items that took part.

import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {type ReactNode, useCallback} from 'react';
import {select} from '../../store/navigation.ts';
import {KindMark, KindShape} from '../../ui/indicators/collection-kind.tsx';
import {OutcomeWord, ToneWord} from '../../ui/indicators/outcome-state.tsx';
import {useNow} from '../../ui/text/Age.tsx';
import {syncWaitText} from '../../ui/text/sync-wait-text.ts';
import type {Drawing} from '../drawing/drawing.ts';
import type {GraphScene} from '../drawing/scene.ts';
import {collectionTree, itemTree} from './collection-tree.ts';
import {TreeEdgeWords, TreeList} from './TreeList.tsx';

export function GraphList({
  graph,
  drawing,
  focus,
  foot,
}: {
  graph: Graph;
  drawing: Drawing;
  focus: string | undefined;
  foot: ReactNode;
}) {
  const now = useNow();
  const live = new Map(
    [...drawing.nodes.map(node => node.collection), ...graph.collections].map(node => [node.name, node]),
  );
  const rowsOf = useCallback(
    (closed: ReadonlySet<string>) => collectionTree(drawing, focus, closed),
    [drawing, focus],
  );
  return (
    <TreeList
      label="Collections and their inputs"
      rowsOf={rowsOf}
      focus={focus}
      onPick={name => select({collection: name})}
      foot={foot}
    >
      {row => {
        const node = live.get(row.name)!;
        return (
          <>
            <KindShape kind={node.kind} />
            <span className="tree-name" title={row.name}>
              {row.name}
            </span>
            <KindMark kind={node.kind} />
            <span className="tree-count">{node.size.toLocaleString('en')}</span>
            <TreeEdgeWords row={row} />
            <ListState node={node} now={now} />
          </>
        );
      }}
    </TreeList>
  );
}

export function ItemList({scene, foot}: {scene: GraphScene; foot: ReactNode}) {
  const nodes = new Map(scene.nodes.map(node => [node.id, node]));
  const rowsOf = useCallback((closed: ReadonlySet<string>) => itemTree(scene, closed), [scene]);
  return (
    <TreeList
      label="Items that took part"
      rowsOf={rowsOf}
      focus={scene.nodes.find(node => node.item?.focus)?.id}
      onPick={id => {
        const item = nodes.get(id)?.item;
        if (item && !item.missing) select({collection: item.collection, key: item.key});
      }}
      foot={foot}
    >
      {row => {
        const {kind, item} = nodes.get(row.name)!;
        return (
          <>
            <KindShape kind={kind} />
            <span className="tree-collection">{item!.collection}</span>
            <code className="tree-key" title={item!.key}>
              {item!.key}
            </code>
            <TreeEdgeWords row={row} />
            {item!.missing ? (
              <ToneWord tone="error">no match</ToneWord>
            ) : item!.outcome ? (
              <OutcomeWord outcome={item!.outcome} />
            ) : null}
          </>
        );
      }}
    </TreeList>
  );
}

function ListState({node, now}: {node: CollectionNode; now: number}) {
  if (node.state === 'forbidden') return <ToneWord tone="error">403: not allowed to list</ToneWord>;
  if (node.failed > 0) return <ToneWord tone="error">{node.failed} failed</ToneWord>;
  if (!node.synced) return <ToneWord tone="stale">{syncWaitText(node)}</ToneWord>;
  if (node.last && now - node.last.at < 60_000) return <OutcomeWord outcome={node.last.outcome} />;
  return <span className="tree-rate">{node.rate > 0 ? `${node.rate}/min` : 'idle'}</span>;
}
