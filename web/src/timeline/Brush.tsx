// A marked stretch: what ran in it, and what to do with it.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useKeys} from '../app/keys.ts';
import {goTo} from '../store/hooks.ts';
import {clockText} from '../ui/Age.tsx';
import {Button, IconButton} from '../ui/Button.tsx';
import {sum, xOfTime} from './scale.ts';
import type {Zoom} from './Timeline.tsx';

export function Brush(props: {
  line: Timeline;
  width: number;
  brush: Zoom;
  onZoom: () => void;
  onClear: () => void;
}) {
  const {line, width, brush} = props;
  useKeys({Escape: {typing: true, run: props.onClear}});
  const left = xOfTime(line, width, brush.from);
  const right = xOfTime(line, width, brush.to);
  const {runs, changed, failed, writes, last} = sum(line.buckets, brush.from, brush.to);
  const card = Math.max(0, Math.min(width - 470, (left + right) / 2 - 235));
  return (
    <>
      <div className="brush" style={{left, width: right - left}} />
      <div className="brush-card" style={{left: card}} role="status">
        <span className="mono">
          {clockText(brush.from)} – {clockText(brush.to)}
        </span>
        <span>
          <b>{writes}</b> writes, <b>{runs}</b> runs, <b>{changed}</b> changed
          {failed > 0 ? `, ${failed} failed` : ''}
        </span>
        <Button size="small" look="primary" onClick={props.onZoom}>
          Zoom
        </Button>
        {last === null ? null : (
          <Button size="small" onClick={() => goTo(last)}>
            Go to its end
          </Button>
        )}
        <IconButton icon="close" label="Clear the stretch" onClick={props.onClear} />
      </div>
    </>
  );
}
