// The tour of the demo, as a strip under the top bar. Once closed, it stays closed.
import {useEffect, useState} from 'react';
import {openOverlay, toast, useApp} from '../../store/app.ts';
import {changeSettings, useSettings} from '../../store/settings.ts';
import {RequestError} from '../../stream/http.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {Button, IconButton} from '../../ui/controls/Button.tsx';
import {tourSteps} from './tour-steps.ts';
import './tour.css';

/** Offered once, on the demo. The palette and the settings can start it again. */
export function Tour() {
  const toured = useSettings(settings => settings.toured);
  const demo = useConnection(link => link.session?.cluster.kind === 'demo');
  const isRequested = useApp(state => state.overlay === 'tour');
  const [on, setOn] = useState(false);
  useEffect(() => {
    if (!isRequested) return;
    setOn(true);
    changeSettings({toured: false});
    openOverlay(null);
  }, [isRequested]);
  if (!on && (toured || !demo)) return null;
  return (
    <TourCard
      started={on}
      onStart={() => setOn(true)}
      onEnd={() => {
        setOn(false);
        changeSettings({toured: true});
      }}
    />
  );
}

function TourCard({started, onStart, onEnd}: {started: boolean; onStart: () => void; onEnd: () => void}) {
  const [at, setAt] = useState(0);
  const place = useApp(state => state.route);
  const step = tourSteps[at]!;
  const [found, setFound] = useState(false);
  const there = started && step.done(place);
  useEffect(() => {
    if (there) setFound(true);
  }, [there]);
  const last = at === tourSteps.length - 1;
  const next = () => {
    if (last) return onEnd();
    setAt(at + 1);
    setFound(false);
  };
  const show = () =>
    step
      .show()
      .catch((error: unknown) =>
        toast(error instanceof RequestError ? error.failure.message : String(error), 'error'),
      );
  if (!started) {
    return (
      <aside className="tour" aria-label="Tour">
        <b>Three things to find in this demo</b>
        <p>
          A Service that selects no Pods, a Pod without a Workload, and a change that stops spreading. Two
          minutes.
        </p>
        <Button look="primary" size="small" onClick={onStart}>
          Start tour
        </Button>
        <IconButton icon="close" label="Close the tour" onClick={onEnd} />
      </aside>
    );
  }
  return (
    <aside className="tour" aria-label="Tour">
      <span className="tour-count">
        {at + 1} of {tourSteps.length}
      </span>
      <b>{step.title}</b>
      <p role="status">{found ? step.found : step.words}</p>
      {found ? (
        <Button look="primary" size="small" onClick={next}>
          {last ? 'Done' : 'Next'}
        </Button>
      ) : (
        <>
          <Button look="primary" size="small" onClick={() => void show()}>
            {step.action}
          </Button>
          <Button look="ghost" size="small" onClick={next}>
            Skip
          </Button>
        </>
      )}
      <IconButton icon="close" label="Close the tour" onClick={onEnd} />
    </aside>
  );
}
