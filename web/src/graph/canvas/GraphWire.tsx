// One wire on the canvas: a line for its kind, a label for its filter, # for an index.
import {BaseEdge, EdgeLabelRenderer, type EdgeProps} from '@xyflow/react';
import {createContext, memo, useContext} from 'react';
import type {SceneEdge} from '../drawing/scene.ts';
import {useGraphContext} from '../graph-context.ts';
import type {EdgeRoute} from '../layout/edge-route.ts';
import type {Point} from '../layout/layout.ts';
import './graph-wire.css';

export const HoverLabelContext = createContext<ReadonlyMap<string, Point>>(new Map());

export const GraphWire = memo(function GraphWire({id, data}: EdgeProps) {
  const edge = data!.edge as SceneEdge;
  const route = data!.route as EdgeRoute;
  const cone = `wire-${edge.cone}`;
  const {x, y} = route.end;
  const {hovered} = useGraphContext();
  const places = useContext(HoverLabelContext);
  const near = edge.from === hovered || edge.to === hovered;
  const label = edge.label === '' && near ? edge.hint : edge.label;
  const place = (near ? places.get(edge.id) : undefined) ?? route.label;
  return (
    <>
      <g
        className={`wire wire-${edge.kind} ${cone} ${data!.waiting === true ? 'wire-waiting' : ''} ${near ? 'wire-near' : ''}`}
      >
        <BaseEdge id={id} path={route.d} />
        {edge.kind === 'join' ? <path d={route.d} className="wire-core" /> : null}
        <path d={`M${x} ${y}l-9-4.5v9z`} className="wire-head" />
      </g>
      <EdgeLabelRenderer>
        {label === '' ? null : (
          <div
            className={`wire-label ${cone} ${near ? 'wire-label-near' : ''}`}
            title={edge.title}
            style={{transform: `translate(-100%, -50%) translate(${place.x}px, ${place.y}px)`}}
          >
            {label}
          </div>
        )}
        {edge.index ? (
          <div
            className={`wire-index ${cone}`}
            title="answered by an index"
            style={{transform: `translate(-50%, -50%) translate(${route.mark.x}px, ${route.mark.y}px)`}}
          >
            #
          </div>
        ) : null}
      </EdgeLabelRenderer>
    </>
  );
});
