// A selected range: what ran in it, and what to do with it.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useKeys} from '../../app/keys/keys.ts';
import {navigate, useApp} from '../../store/app.ts';
import {goTo} from '../../store/navigation.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {Button, IconButton} from '../../ui/controls/Button.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import type {TimelineRange} from '../Timeline.tsx';
import {sumBuckets, xOfTime} from './time-scale.ts';
import './brush.css';

/** About the width of its text. */
const CARD_WIDTH = 600;

/** Opens the sheet at the range's end, with only the rows that changed in it. */
function showRowsOfRange(brush: TimelineRange, last: number): void {
  const {route, paramsByView} = useApp.getState();
  const params = route.view === 'sheet' ? route.params : (paramsByView.sheet ?? {});
  navigate({view: 'sheet', moment: last, params: {...params, since: String(brush.from)}});
}

export function Brush(props: {
  line: Timeline;
  width: number;
  brush: TimelineRange;
  onZoom: () => void;
  onClear: () => void;
}) {
  const {line, width, brush} = props;
  useKeys({Escape: {typing: true, run: props.onClear}});
  const left = xOfTime(line, width, brush.from);
  const right = xOfTime(line, width, brush.to);
  // The range has its own query: the chart's buckets move on, and a count from them would drift.
  const own = useLastAnswer(useSubscription({ask: 'timeline', ...brush, buckets: 1}));
  const {runs, changed, failed, writes, last} = sumBuckets(own?.buckets ?? [], brush.from, brush.to);
  // While the user drags, the last answer belongs to a shorter range.
  const busy = own?.from !== brush.from || own.to !== brush.to;
  const card = Math.max(0, Math.min(width - CARD_WIDTH, (left + right) / 2 - CARD_WIDTH / 2));
  return (
    <>
      <div className="brush" style={{left, width: right - left}} />
      <div className="brush-card row gap-12" style={{left: card}} role="status">
        <span className="mono">
          {clockText(brush.from)} – {clockText(brush.to)}
        </span>
        <span aria-busy={busy}>
          <b>{writes}</b> {writes === 1 ? 'write' : 'writes'}, <b>{runs}</b> {runs === 1 ? 'run' : 'runs'},{' '}
          <b>{changed}</b> changed
          {failed > 0 ? `, ${failed} failed` : ''}
        </span>
        <Button size="small" look="primary" onClick={props.onZoom}>
          Zoom
        </Button>
        {last === null ? null : (
          <>
            <Button size="small" disabled={busy} onClick={() => showRowsOfRange(brush, last)}>
              Rows that changed
            </Button>
            <Button size="small" look="ghost" disabled={busy} onClick={() => goTo(last)}>
              Go to end
            </Button>
          </>
        )}
        <IconButton icon="close" label="Clear the range" onClick={props.onClear} />
      </div>
    </>
  );
}
