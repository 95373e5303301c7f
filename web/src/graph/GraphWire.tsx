// One wire on the canvas: its kind by line, its filter on an opaque label before the consumer, a # where an index answers.
import {BaseEdge, EdgeLabelRenderer, type EdgeProps} from '@xyflow/react';
import {memo} from 'react';
import type {Route} from './edge-route.ts';
import type {SceneEdge} from './scene.ts';

export const GraphWire = memo(function GraphWire({id, data}: EdgeProps) {
  const edge = data!.edge as SceneEdge;
  const route = data!.route as Route;
  const cone = `wire-${edge.cone}`;
  const {x, y} = route.end;
  return (
    <>
      <g className={`wire wire-${edge.kind} ${cone} ${data!.waiting === true ? 'wire-waiting' : ''}`}>
        <BaseEdge id={id} path={route.d} />
        {edge.kind === 'join' ? <path d={route.d} className="wire-core" /> : null}
        <path d={`M${x} ${y}l-9-4.5v9z`} className="wire-head" />
      </g>
      <EdgeLabelRenderer>
        {edge.label === '' ? null : (
          <div
            className={`wire-label ${cone} nopan`}
            title={edge.title}
            style={{transform: `translate(-100%, -50%) translate(${route.label.x}px, ${route.label.y}px)`}}
          >
            {edge.label}
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
