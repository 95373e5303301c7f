// A small picture of a drawing that does not fit, with the part in view. A click or a drag moves the view.
import {useReactFlow, useStore} from '@xyflow/react';
import {type PointerEvent, useEffect, useRef} from 'react';
import {useSettings} from '../../store/settings.ts';
import type {PlacedScene} from '../drawing/scene.ts';
import {useGraphContext} from '../graph-context.ts';
import {isPartlyHidden, minimapScale} from './minimap-scale.ts';
import './minimap.css';

export function Minimap({placed}: {placed: PlacedScene}) {
  const [x, y, zoom] = useStore(state => state.transform);
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const view = {x, y, zoom, width, height};
  if (width === 0 || !isPartlyHidden(placed, view)) return null;
  const scale = minimapScale(placed);
  return <MinimapPicture placed={placed} scale={scale} view={view} />;
}

function MinimapPicture({
  placed,
  scale,
  view: {x, y, zoom, width, height},
}: {
  placed: PlacedScene;
  scale: number;
  view: {x: number; y: number; zoom: number; width: number; height: number};
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const flow = useReactFlow();
  const {focus, found, finding} = useGraphContext();
  const theme = useSettings(settings => settings.theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours, not the arguments
  useEffect(() => {
    if (canvas.current)
      paintMinimap(canvas.current, placed, scale, id => id === focus || (finding && found.has(id)));
  }, [placed, scale, focus, found, finding, theme]);
  const move = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = {x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale};
    void flow.setCenter(at.x, at.y, {zoom});
  };
  return (
    <div
      className="minimap"
      aria-hidden="true"
      style={{width: placed.width * scale, height: placed.height * scale}}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.stopPropagation();
        move(event);
      }}
      onPointerMove={event => {
        if (event.buttons === 1) move(event);
      }}
    >
      <canvas ref={canvas} />
      <span
        className="minimap-view"
        style={{
          left: (-x / zoom) * scale,
          top: (-y / zoom) * scale,
          width: (width / zoom) * scale,
          height: (height / zoom) * scale,
        }}
      />
    </div>
  );
}

function paintMinimap(
  canvas: HTMLCanvasElement,
  placed: PlacedScene,
  scale: number,
  isMarked: (id: string) => boolean,
): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(placed.width * scale * ratio));
  canvas.height = Math.max(1, Math.round(placed.height * scale * ratio));
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const colours = getComputedStyle(canvas);
  pen.scale(ratio * scale, ratio * scale);
  for (const {id, size} of placed.scene.nodes) {
    const at = placed.places.get(id)!;
    pen.fillStyle = colours.getPropertyValue(isMarked(id) ? '--changed' : '--tx-4');
    pen.fillRect(at.x, at.y, size.width, size.height);
  }
}
