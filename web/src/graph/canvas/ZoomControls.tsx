// Zoom buttons and the current zoom.
import {useReactFlow, useStore} from '@xyflow/react';
import {Icon} from '../../ui/indicators/Icon.tsx';
import type {PlacedScene} from '../drawing/scene.ts';

/** Fits the whole drawing, also the nodes that are painted and not mounted. */
export function ZoomControls({placed}: {placed: PlacedScene}) {
  const flow = useReactFlow();
  const zoom = useStore(state => state.transform[2]);
  return (
    <fieldset className="zoom" aria-label="Zoom">
      <button type="button" onClick={() => void flow.zoomOut()} aria-label="Zoom out">
        <Icon name="minus" size={14} />
      </button>
      <span className="zoom-share">{Math.round(zoom * 100)}%</span>
      <button type="button" onClick={() => void flow.zoomIn()} aria-label="Zoom in">
        <Icon name="plus" size={14} />
      </button>
      <button
        type="button"
        onClick={() =>
          void flow.fitBounds(
            {x: 0, y: 0, width: placed.width, height: placed.height},
            {duration: 150, padding: 0.08},
          )
        }
        aria-label="Fit to window"
      >
        <Icon name="fit" size={14} />
      </button>
    </fieldset>
  );
}
