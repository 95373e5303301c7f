// The Graph view: the strip, the toolbar, and the drawing or the list.
import './graph-view.css';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {useCallback, useMemo, useRef, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {setParams} from '../store/app.ts';
import {useMoment} from '../store/navigation.ts';
import {useGraph} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {useWindowWidth} from '../ui/hooks/use-window-width.ts';
import {NoCollections} from '../ui/layout/NoCollections.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';
import {supposedSentence, supposedWave} from '../what-if/supposed-wave.ts';
import {useSupposedAnswer} from '../what-if/supposition.ts';
import {GraphCanvas} from './canvas/GraphCanvas.tsx';
import {DrawnCount, Legend} from './canvas/Legend.tsx';
import {MAX_NODES} from './drawing/create-drawing.ts';
import type {SceneNode} from './drawing/scene.ts';
import {useItemScene} from './drawing/use-item-scene.ts';
import {type DrawnGraph, useCollectionScene, useDrawing, useLayout} from './drawing/use-scene.ts';
import {CollectionStrip} from './list/CollectionStrip.tsx';
import {GraphList, ItemList} from './list/GraphList.tsx';
import {selectorHelp} from './toolbar/collection-selector.ts';
import {exportMenuItems, visiblePart} from './toolbar/export-menu.ts';
import {GraphToolbar} from './toolbar/GraphToolbar.tsx';
import {useGraphChoice} from './use-graph-choice.ts';
import {useGraphContextValue} from './use-graph-context-value.ts';
import type {PulseHandle} from './waves/PulseLayer.tsx';
import {useWave} from './waves/use-wave.ts';
import {SupposedWaveCard, WaveCard} from './waves/WaveCard.tsx';

export default function GraphView() {
  const graph = useGraph();
  if (graph === null) return <div className="graph" aria-busy="true" />;
  if (graph.collections.length === 0)
    return (
      <div className="graph">
        <NoCollections title="No graph to draw" />
      </div>
    );
  return <GraphBody graph={graph} />;
}

function GraphBody({graph}: {graph: Graph}) {
  const narrow = useWindowWidth() < 1100;
  const choice = useGraphChoice(narrow);
  const drawn = useDrawing(graph, choice)!;
  const focus = drawn.drawing.nodes.find(node => node.cone === 'self')?.id;
  const collections = useCollectionScene(drawn, focus);
  const items = useItemScene(graph, choice.level === 'item' ? choice.item : undefined, choice);
  const scene = choice.level === 'item' ? items.scene : collections;
  const arranged = useLayout(scene);
  const {live, moment} = useMoment();
  const pulses = useRef<PulseHandle | null>(null);
  const [sampled, setSampled] = useState('');
  const inCone = useCallback(
    (pulse: BatchPulse) =>
      focus === undefined || pulse.waves.some(wave => wave.to === focus || wave.from === focus),
    [focus],
  );
  const recorded = useWave(inCone);
  const answer = useSupposedAnswer();
  const supposed = useMemo(
    () => (answer === null ? undefined : supposedWave(answer, graph.edges)),
    [answer, graph.edges],
  );
  const wave = answer === null ? recorded : supposed;
  const context = useGraphContextValue(graph, drawn, choice, scene?.nodes ?? [], wave, moment);
  const readers = useCallback(
    (name: string) => graph.edges.filter(edge => edge.from === name).map(edge => edge.to),
    [graph],
  );
  const kindOf = useCallback(
    (name: string) => graph.collections.find(node => node.name === name)?.resource?.kind ?? name,
    [graph],
  );
  const replay = () => (wave ? pulses.current?.replay(wave) : false);
  useKeys({Space: {says: 'replay wave', run: () => (wave && !choice.list ? replay() : false)}});
  const shown = new Set(
    drawn.drawing.nodes.flatMap(node => [
      node.id,
      ...node.indexes,
      ...node.copies,
      ...(node.members ?? []).map(member => member.name),
    ]),
  );
  const listed = choice.list || arranged.state === 'given-up';
  const foot = (
    <DrawnCount
      drawing={drawn.drawing}
      choice={choice}
      items={choice.level === 'item' ? {drawn: items.scene?.nodes.length ?? 0, left: items.left} : undefined}
      slow={arranged.state === 'slow'}
    />
  );
  const unsynced = graph.collections
    .filter(node => !node.synced)
    .map(node => node.name)
    .join('\n');
  const waiting = useMemo(() => new Set(unsynced.split('\n').filter(Boolean)), [unsynced]);
  return (
    <div className="graph">
      <GraphToolbar
        choice={choice}
        problems={{find: drawn.find.problem, hide: drawn.hide.problem}}
        sampled={sampled}
        narrow={narrow}
        groups={drawn.drawing.groups}
        exports={exportMenuItems(arranged.placed, visiblePart(graph, shown), node =>
          exportLines(node, graph),
        )}
      />
      <SelectorProblems
        problems={[drawn.find.problem, drawn.hide.problem]}
        found={choice.find === '' ? undefined : context.found.size}
      />
      <div className="graph-body">
        {narrow ? null : (
          <CollectionStrip
            graph={graph}
            focus={choice.focus}
            drawn={shown}
            wave={live && answer === null ? undefined : context}
          />
        )}
        {listed && choice.level === 'item' && items.scene ? (
          <ItemList scene={items.scene} foot={foot} />
        ) : listed && choice.level === 'collections' ? (
          <GraphList graph={graph} drawing={drawn.drawing} focus={focus} foot={foot} />
        ) : !listed && arranged.placed && scene ? (
          <GraphCanvas
            graph={graph}
            placed={arranged.placed}
            context={context}
            live={live}
            still={live && answer === null ? undefined : wave}
            supposed={answer !== null}
            pulses={pulses}
            onSampled={setSampled}
            waiting={waiting}
            foot={
              <>
                <Legend sampled={sampled} />
                {foot}
              </>
            }
            head={
              choice.level === 'collections' ? (
                <>
                  {drawn.drawing.tooBig ? <TooBig drawn={drawn} budget={choice.budget} /> : null}
                  {answer === null ? (
                    <WaveCard wave={wave} readers={readers} kindOf={kindOf} onReplay={replay} />
                  ) : (
                    <SupposedWaveCard parts={supposedSentence(answer, supposed)} onReplay={replay} />
                  )}
                </>
              ) : null
            }
          />
        ) : (
          <div className="canvas" aria-busy="true">
            {choice.level === 'item' && items.done ? (
              <EmptyState
                title={`No ${choice.item!.key} in ${choice.item!.collection}`}
                actions={<Button onClick={() => setParams({level: null})}>Collections</Button>}
              >
                The item does not exist at this moment.
              </EmptyState>
            ) : null}
          </div>
        )}
      </div>
    </div>
  );
}

/** Explains a term that could not be parsed. A red border alone would not. */
function SelectorProblems({problems, found}: {problems: (string | undefined)[]; found: number | undefined}) {
  const words = problems.filter(one => one !== undefined);
  if (words.length === 0 && found !== 0) return null;
  return (
    <p className="graph-dock graph-problem" role="alert">
      {words.length > 0 ? `Unknown term: ${words.join('; ')}.` : 'No collection matches.'} Use {selectorHelp}.
    </p>
  );
}

function exportLines(node: SceneNode, graph: Graph): [string, string] {
  if (node.item) return [node.item.key, node.item.collection];
  const live = graph.collections.find(one => one.name === node.id);
  return [node.id, live ? `${live.size.toLocaleString('en')} ${live.size === 1 ? 'item' : 'items'}` : ''];
}

function TooBig({drawn, budget}: {drawn: DrawnGraph; budget: number}) {
  const matched =
    drawn.drawing.nodes.length + drawn.drawing.left.filter(one => one.reason === 'budget').length;
  return (
    <div role="status" className="graph-dock too-big">
      <p>
        <b>{matched.toLocaleString('en')} nodes match.</b> The {Math.min(budget, matched)} most relevant are
        shown, problems first.
      </p>
      <Button
        size="small"
        look="primary"
        keys="/"
        onClick={() => document.querySelector<HTMLInputElement>('.selector-box input')?.focus()}
      >
        Narrow
      </Button>
      <Button size="small" keys="Shift+L" onClick={() => setParams({list: '1'})}>
        List
      </Button>
      {budget < MAX_NODES ? (
        <Button size="small" look="ghost" onClick={() => setParams({budget: String(MAX_NODES)})}>
          Show all (slow)
        </Button>
      ) : null}
    </div>
  );
}
