// The Timeline's buttons: oldest, back, pause or play, forward, newest, live; replay speed.
import {goLive, goTo, useMoment} from '../store/navigation.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ageText, useServerNow} from '../ui/text/Age.tsx';
import {BookmarkMenu} from './bookmarks/BookmarkMenu.tsx';
import {speeds} from './replay-position.ts';
import {setSpeed, toggleReplay, useReplay} from './use-replay.ts';
import './controls.css';

export function Controls(props: {
  oldest: number;
  newest: number;
  zoomed: boolean;
  /** The time of the oldest moment on disk; null if the chart shows it. */
  history: number | null;
  onHistory: () => void;
  onStep: (by: number) => void;
  onWhole: () => void;
  onFold: () => void;
  onLog: () => void;
}) {
  const {live} = useMoment();
  const playing = useReplay(state => state.playing);
  return (
    <div className="timeline-controls column">
      <div className="timeline-head row">
        {live ? <span className="label">Timeline</span> : <SpeedChoice />}
        {props.zoomed ? (
          <button type="button" className="timeline-link bare-button" onClick={props.onWhole}>
            show all
          </button>
        ) : (
          <button
            type="button"
            className="timeline-link bare-button"
            onClick={props.onLog}
            title="Run log (e)"
          >
            run log
          </button>
        )}
        {props.history === null ? null : <HistoryLink since={props.history} onPick={props.onHistory} />}
        <BookmarkMenu />
        <button
          type="button"
          className="timeline-fold bare-button"
          onClick={props.onFold}
          aria-label="Fold the Timeline"
          title="Fold the Timeline"
        >
          <Icon name="down" size={12} />
        </button>
      </div>
      <div className="timeline-buttons">
        <IconButton icon="first" label="Oldest kept moment" onClick={() => goTo(props.oldest)} />
        <IconButton icon="left" label="Previous event" keys="⇧," onClick={() => props.onStep(-1)} />
        <IconButton
          icon={live || playing ? 'pause' : 'play'}
          label={live ? 'Pause' : playing ? 'Stop playing' : 'Play from here'}
          keys="Space"
          className="timeline-main"
          onClick={toggleReplay}
        />
        <IconButton icon="right" label="Next event" keys="⇧." onClick={() => props.onStep(1)} />
        <IconButton icon="last" label="Newest moment, paused" onClick={() => goTo(props.newest)} />
        <IconButton icon="live" label="Live" keys="⇧End" onClick={goLive} />
      </div>
    </div>
  );
}

/** Shows all that is on disk: `all 3 d`. */
function HistoryLink({since, onPick}: {since: number; onPick: () => void}) {
  const now = useServerNow();
  return (
    <button
      type="button"
      className="timeline-link timeline-history bare-button"
      onClick={onPick}
      title="Show the whole history on disk"
    >
      all {ageText(now - since)}
    </button>
  );
}

/** Replay speed, in place of the title, which shows while live. */
function SpeedChoice() {
  const speed = useReplay(state => state.speed);
  return (
    <fieldset className="timeline-speeds">
      <legend className="visually-hidden">Play at</legend>
      {speeds.map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={one === speed}
          title={`Play at ${one} times the original speed`}
          onClick={() => setSpeed(one)}
        >
          {one}×
        </button>
      ))}
    </fieldset>
  );
}
