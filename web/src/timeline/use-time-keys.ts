// Time keys that work before the Timeline is loaded, so that no key press is lost.
import {useKeys} from '../app/keys/keys.ts';
import {goLive, useMoment} from '../store/navigation.ts';
import {addBookmark, useBookmarkLoader} from './bookmarks/bookmarks.ts';
import {setLogOpen, useLogOpen} from './run-log-state.ts';
import {toggleReplay, useReplay} from './use-replay.ts';

export function useTimeKeys(): void {
  const {live} = useMoment();
  const playing = useReplay(state => state.playing);
  const logged = useLogOpen();
  useBookmarkLoader();
  useKeys(
    {
      Space: {says: live ? 'pause' : playing ? 'stop playing' : 'play', group: 'Time', run: toggleReplay},
      'Shift+End': {says: 'back to live', group: 'Time', typing: true, run: goLive},
      b: {says: 'bookmark this moment, or rename it', group: 'Time', run: addBookmark},
      e: {says: 'run log', group: 'Time', run: () => setLogOpen(!logged)},
    },
    true,
    'base',
  );
}
