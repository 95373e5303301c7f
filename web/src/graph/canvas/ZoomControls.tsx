// Zoom buttons and the current zoom.
import {useReactFlow, useStore} from '@xyflow/react';
import {Icon} from '../../ui/indicators/Icon.tsx';

export function ZoomControls() {
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
        onClick={() => void flow.fitView({duration: 150, padding: 0.08})}
        aria-label="Fit to window"
      >
        <Icon name="fit" size={14} />
      </button>
    </fieldset>
  );
}
