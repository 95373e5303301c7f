// The Timeline's buttons: oldest, one back, pause or live, one on, newest, live.
import {goLive, goTo, pause, useMoment} from '../store/hooks.ts';
import {IconButton} from '../ui/Button.tsx';
import {Icon} from '../ui/Icon.tsx';

export function Controls(props: {
  oldest: number;
  newest: number;
  zoomed: boolean;
  onStep: (by: number) => void;
  onWhole: () => void;
  onFold: () => void;
  onLog: () => void;
}) {
  const {live} = useMoment();
  return (
    <div className="timeline-controls">
      <div className="timeline-head">
        <span className="label">Timeline</span>
        {props.zoomed ? (
          <button type="button" className="timeline-link" onClick={props.onWhole}>
            show all
          </button>
        ) : (
          <button type="button" className="timeline-link" onClick={props.onLog} title="Log of all runs (e)">
            all runs
          </button>
        )}
        <button
          type="button"
          className="timeline-fold"
          onClick={props.onFold}
          aria-label="Fold the Timeline"
          title="Fold the Timeline"
        >
          <Icon name="down" size={12} />
        </button>
      </div>
      <div className="timeline-buttons">
        <IconButton icon="first" label="Oldest kept moment" onClick={() => goTo(props.oldest)} />
        <IconButton icon="left" label="Event before" keys="⇧," onClick={() => props.onStep(-1)} />
        <IconButton
          icon={live ? 'pause' : 'play'}
          label={live ? 'Pause' : 'Back to live'}
          keys="Space"
          className="timeline-main"
          onClick={live ? pause : goLive}
        />
        <IconButton icon="right" label="Event after" keys="⇧." onClick={() => props.onStep(1)} />
        <IconButton icon="last" label="Newest moment, paused" onClick={() => goTo(props.newest)} />
        <IconButton icon="live" label="Live" keys="⇧End" onClick={goLive} />
      </div>
    </div>
  );
}
