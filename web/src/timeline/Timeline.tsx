// The Timeline: root writes, runs by outcome, gaps. Moves the whole page to a past moment and back to live.
import {useEffect, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {useNarrow} from '../app/use-narrow.ts';
import {goTo, useMoment, useParam} from '../store/navigation.ts';
import {changeSettings, useSettings} from '../store/settings.ts';
import {useMomentClock} from '../stream/moment-clock.ts';
import {serverNow, useConnection} from '../stream/server-connection.ts';
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {Controls} from './Controls.tsx';
import {Chart} from './chart/Chart.tsx';
import {barStep} from './chart/time-scale.ts';
import {NarrowTimeline} from './NarrowTimeline.tsx';
import {Retention} from './Retention.tsx';
import {RunLog} from './RunLog.tsx';
import {setLogOpen, useLogOpen} from './run-log-state.ts';
import {useReplayTimer} from './use-replay.ts';
import './timeline.css';

export default function Timeline() {
  const narrow = useNarrow();
  const shown = useSettings(settings => settings.timeline);
  const [open, setOpen] = useState(false);
  const [box, width] = useElementWidth();
  const [zoom, setZoom] = useZoom();
  // Ten buckets more than fit, so that resizing the window keeps the query.
  const buckets = width === 0 ? 150 : Math.max(20, Math.ceil(width / barStep / 10) * 10);
  const [still, setStill] = useState<TimelineRange | null>(null);
  const subscription = useSubscription({ask: 'timeline', buckets, ...(zoom ?? still)});
  const line = useLastAnswer(subscription);
  const clock = useMomentClock(state => state.at);
  const {moment, live} = useMoment();
  // Paused, the chart stands still: a playhead that slides away cannot be grabbed.
  const frozen = live || line === undefined ? null : (still ?? {from: line.from, to: line.to});
  const passed = frozen !== null && clock !== null && clock > frozen.to;
  if (passed ? still !== null : frozen?.to !== still?.to) setStill(passed ? null : frozen);
  useReplayTimer();
  const logged = useLogOpen();
  const kept = useConnection(link => link.session?.kept);
  const start = kept !== undefined && kept.disk.bytes > 0 ? kept.oldest : undefined;
  const oldest = Math.min(line?.kept.oldest ?? 0, start?.sequence ?? Number.POSITIVE_INFINITY);
  const oldestTime = start?.time ?? line?.kept.since ?? 0;
  const isAllShown = line !== undefined && line.from <= oldestTime;
  const newest = line?.kept.newest ?? 0;
  const step = (by: number) => goTo(Math.max(oldest, Math.min(newest, (moment ?? newest) + by)));
  useKeys(
    {
      'Shift+,': {says: 'previous event', group: 'Time', run: () => step(-1)},
      'Shift+.': {says: 'next event', group: 'Time', run: () => step(1)},
    },
    true,
    'base',
  );
  if (narrow ? !open : !shown) {
    const unfold = narrow ? () => setOpen(true) : () => changeSettings({timeline: true});
    return (
      <>
        {logged ? <RunLog /> : null}
        <NarrowTimeline line={line} onOpen={unfold} />
      </>
    );
  }
  return (
    <>
      {logged ? <RunLog /> : null}
      <section className="shell-timeline timeline" aria-label="Timeline">
        <Controls
          oldest={oldest}
          newest={newest}
          onStep={step}
          zoomed={zoom !== null}
          onWhole={() => setZoom(null)}
          history={isAllShown ? null : oldestTime}
          onHistory={() => setZoom({from: Math.floor(oldestTime), to: Math.ceil(serverNow())})}
          onLog={() => setLogOpen(!logged)}
          onFold={narrow ? () => setOpen(false) : () => changeSettings({timeline: false})}
        />
        <div className="timeline-chart" ref={box}>
          {line === undefined || width === 0 ? null : (
            <Chart line={line} width={width} zoom={zoom} onZoom={setZoom} onStep={step} oldest={oldestTime} />
          )}
        </div>
        <Retention line={line} />
      </section>
    </>
  );
}

export interface TimelineRange {
  from: number;
  to: number;
}

/** The zoomed span, in the URL as `zoom=from-to`; null shows everything that is kept. */
function useZoom(): [TimelineRange | null, (zoom: TimelineRange | null) => void] {
  const [text, setText] = useParam('zoom');
  const match = /^(\d+)-(\d+)$/.exec(text ?? '');
  const zoom = match === null ? null : {from: Number(match[1]), to: Number(match[2])};
  return [zoom, next => setText(next === null ? null : `${next.from}-${next.to}`)];
}

function useElementWidth(): [(element: HTMLElement | null) => void, number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element === null) return;
    const watch = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, [element]);
  return [setElement, width];
}
