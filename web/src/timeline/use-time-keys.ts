// Time keys that work before the Timeline is loaded, so that no key press is lost.
import {useKeys} from '../app/keys/keys.ts';
import {useApp} from '../store/app.ts';
import {goLive, pause, useMoment} from '../store/navigation.ts';
import {setLogOpen, useLogOpen} from './run-log-state.ts';
import {toggleReplay, useReplay} from './use-replay.ts';

export function useTimeKeys(): void {
  const {live} = useMoment();
  const playing = useReplay(state => state.playing);
  const logged = useLogOpen();
  useKeys(
    {
      Space: {says: live ? 'pause' : playing ? 'stop playing' : 'play', group: 'Time', run: toggleReplay},
      'Shift+End': {says: 'back to live', group: 'Time', typing: true, run: goLive},
      b: {says: 'bookmark this moment', group: 'Time', run: bookmark},
      e: {says: 'run log', group: 'Time', run: () => setLogOpen(!logged)},
    },
    true,
    'base',
  );
}

function bookmark(): void {
  const {route: place, bookmarks} = useApp.getState();
  if (place.moment === null) pause();
  const sequence = useApp.getState().route.moment;
  if (sequence === null) return;
  const isBookmarked = bookmarks.some(one => one.sequence === sequence);
  useApp.setState({
    bookmarks: isBookmarked
      ? bookmarks.filter(one => one.sequence !== sequence)
      : [...bookmarks, {sequence, at: Date.now()}],
  });
}
