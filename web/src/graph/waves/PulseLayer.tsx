// Draws pulses on a canvas above the drawing: dots move along wires and stop at equal results.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {type Transform, useStore, useStoreApi} from '@xyflow/react';
import {type RefObject, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef} from 'react';
import {useSettings} from '../../store/settings.ts';
import {usePulses} from '../../stream/use-subscription.ts';
import type {PlacedScene} from '../drawing/scene.ts';
import {pointAlong} from '../layout/edge-route.ts';
import type {Point} from '../layout/layout.ts';
import {
  addPulse,
  dotEnd,
  dropFinishedDots,
  emptyTrack,
  type PulseDot,
  type PulseTrack,
  STOP_RING_MS,
  sampledWords,
} from './pulse-track.ts';

export interface PulseHandle {
  replay: (pulse: BatchPulse) => void;
}

export function PulseLayer({
  placed,
  focus,
  live,
  still,
  supposed,
  handle,
  onSampled,
}: {
  placed: PlacedScene;
  focus: string | undefined;
  live: boolean;
  still: BatchPulse | undefined;
  /** The wave is one of What if, which has a colour of its own. */
  supposed: boolean;
  handle: RefObject<PulseHandle | null>;
  onSampled: (words: string) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const track = useRef<PulseTrack>(emptyTrack);
  // The running animation must use the newest layout, or its dots leave the wires.
  const latest = useRef(placed);
  useLayoutEffect(() => {
    latest.current = placed;
  });
  const frame = useRef(0);
  const on = useSettings(settings => settings.pulses);
  const flow = useStoreApi();
  const transform = useStore(state => state.transform);
  const rest = useCallback(
    (at: Transform) => {
      if (!canvas.current || frame.current !== 0) return;
      paintDots(canvas.current, placed, still ? standingDots(still, placed) : [], 0, at);
    },
    [still, placed],
  );
  useEffect(() => rest(transform), [rest, transform]);

  const step = useCallback(() => {
    const now = performance.now();
    track.current = dropFinishedDots(track.current, now);
    if (canvas.current)
      paintDots(canvas.current, latest.current, track.current.dots, now, flow.getState().transform);
    frame.current = track.current.dots.length > 0 ? requestAnimationFrame(step) : 0;
    if (frame.current === 0) onSampled('');
    if (frame.current === 0 && still) rest(flow.getState().transform);
  }, [flow, onSampled, still, rest]);

  const send = useCallback(
    (pulse: BatchPulse, all: boolean) => {
      const edgeOf = (from: string, to: string) => {
        const found = edgesBetween(placed, from, to);
        // With a selection only its cone shows pulses.
        const shown = all || focus === undefined ? found : found.filter(edge => edge.cone !== 'off');
        return (shown.find(edge => edge.kind !== 'fetch') ?? shown[0])?.id;
      };
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
        for (const wave of pulse.waves)
          if (edgeOf(wave.from, wave.to) !== undefined) tintNode(nodeOf(placed, wave.to));
        return;
      }
      track.current = addPulse(track.current, pulse, edgeOf, performance.now());
      onSampled(sampledWords(track.current));
      if (frame.current === 0 && track.current.dots.length > 0) frame.current = requestAnimationFrame(step);
    },
    [placed, focus, step, onSampled],
  );
  usePulses(pulse => {
    if (on && live && !supposed && document.visibilityState === 'visible') send(pulse, false);
  });
  useImperativeHandle(handle, () => ({replay: pulse => send(pulse, true)}), [send]);
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    },
    [],
  );
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without a tab stop takes no focus
  return <canvas ref={canvas} className="pulses" data-supposed={supposed || undefined} aria-hidden="true" />;
}

const nodeOf = (placed: PlacedScene, name: string) => placed.scene.shownBy?.get(name) ?? name;

function edgesBetween(placed: PlacedScene, from: string, to: string) {
  const [start, end] = [nodeOf(placed, from), nodeOf(placed, to)];
  return placed.scene.edges.filter(edge => edge.from === start && edge.to === end);
}

/** A wave without motion: a dot for each change, a ring where the result was equal. */
function standingDots(pulse: BatchPulse, placed: PlacedScene): PulseDot[] {
  return pulse.waves.flatMap(({from, to, outcomes}) => {
    const wires = edgesBetween(placed, from, to);
    const wire = wires.find(edge => edge.kind !== 'fetch') ?? wires[0];
    if (!wire) return [];
    const end = dotEnd(outcomes);
    // Painted at time 0, so a negative start puts the dot on its way or at its ring.
    return [{edge: wire.id, to, end, start: end === 'equal' ? -100 : -30, duration: 100, runs: 1}];
  });
}

/** With reduced motion the outline of the node is tinted for a second. */
function tintNode(node: string): void {
  const element = document.querySelector<HTMLElement>(`[data-node="${CSS.escape(node)}"]`);
  if (!element) return;
  element.dataset.hit = '';
  setTimeout(() => delete element.dataset.hit, 1000);
}

function paintDots(
  canvas: HTMLCanvasElement,
  placed: PlacedScene,
  dots: readonly PulseDot[],
  now: number,
  [x, y, zoom]: readonly number[],
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const {clientWidth, clientHeight} = canvas;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== clientWidth * ratio || canvas.height !== clientHeight * ratio) {
    canvas.width = clientWidth * ratio;
    canvas.height = clientHeight * ratio;
  }
  const style = getComputedStyle(canvas);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, clientWidth, clientHeight);
  context.setTransform(ratio * zoom!, 0, 0, ratio * zoom!, ratio * x!, ratio * y!);
  const paints = {
    changed: colour('supposed' in canvas.dataset ? '--suppose' : '--changed-fill'),
    equal: colour('--noop'),
    failed: colour('--error-fill'),
    back: colour('--bg-0'),
  };
  for (const dot of dots) {
    const route = placed.routes.get(dot.edge);
    if (route && now >= dot.start) paintDot(context, dot, route.points, now, paints);
  }
}

function paintDot(
  context: CanvasRenderingContext2D,
  dot: PulseDot,
  points: readonly Point[],
  now: number,
  paints: Record<PulseDot['end'] | 'back', string>,
): void {
  const t = (now - dot.start) / dot.duration;
  const moving = dot.end === 'failed' ? paints.failed : paints.changed;
  if (t < 1) {
    const eased = 1 - (1 - t) ** 2;
    for (let tail = 6; tail >= 0; tail--) {
      const at = pointAlong(points, eased - tail * 0.022);
      context.globalAlpha = tail === 0 ? 1 : 0.28 * (1 - tail / 7);
      context.fillStyle = moving;
      context.beginPath();
      if (dot.end === 'failed' && tail === 0) paintDiamond(context, at);
      else context.arc(at.x, at.y, tail === 0 ? 4.5 : 3.5, 0, Math.PI * 2);
      context.fill();
    }
    context.globalAlpha = 1;
    return;
  }
  const end = points.at(-1)!;
  const over = Math.min(1, (now - dot.start - dot.duration) / STOP_RING_MS);
  context.globalAlpha = 1 - over;
  context.lineWidth = 1.6;
  context.strokeStyle = paints[dot.end];
  context.beginPath();
  context.arc(end.x, end.y, dot.end === 'equal' ? 6 + over * 6 : 5 + over * 3, 0, Math.PI * 2);
  context.stroke();
  if (dot.end === 'equal') {
    context.fillStyle = paints.back;
    context.beginPath();
    context.arc(end.x, end.y, 4.5, 0, Math.PI * 2);
    context.fill();
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintDiamond(context: CanvasRenderingContext2D, at: Point): void {
  context.moveTo(at.x, at.y - 6);
  context.lineTo(at.x + 6, at.y);
  context.lineTo(at.x, at.y + 6);
  context.lineTo(at.x - 6, at.y);
  context.closePath();
}
