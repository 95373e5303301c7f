// Tabs at the edge of the view for neighbours of the selection that are out of view.
import {useReactFlow, useStore} from '@xyflow/react';
import type {PlacedScene} from '../drawing/scene.ts';
import type {GraphContextValue} from '../graph-context.ts';

export function EdgeTabs({placed, context}: {placed: PlacedScene; context: GraphContextValue}) {
  const flow = useReactFlow();
  const [x, y, zoom] = useStore(state => state.transform);
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const {focus} = context;
  if (focus === undefined || width === 0) return null;
  const near = placed.scene.edges.flatMap(edge =>
    edge.from === focus ? [edge.to] : edge.to === focus ? [edge.from] : [],
  );
  const tabs = [...new Set(near)].flatMap(id => {
    const at = placed.places.get(id)!;
    const size = placed.scene.nodes.find(node => node.id === id)!.size;
    const left = at.x * zoom + x;
    const top = at.y * zoom + y;
    const side = left + size.width * zoom < 24 ? 'left' : left > width - 24 ? 'right' : undefined;
    return side ? [{id, side, top: Math.max(60, Math.min(height - 90, top)), at}] : [];
  });
  return tabs.slice(0, 8).map(tab => (
    <button
      key={tab.id}
      type="button"
      className={`edge-tab edge-tab-${tab.side}`}
      style={{top: tab.top}}
      onClick={() => void flow.setCenter(tab.at.x + 90, tab.at.y + 30, {zoom, duration: 250})}
    >
      {tab.side === 'left' ? '‹ ' : ''}
      {tab.id}
      {tab.side === 'right' ? ' ›' : ''}
    </button>
  ));
}
