// What floats above the page: palette, jump, shortcuts, settings, a new source. One at a time.
// Loaded with the page: a palette that comes a moment after its key loses the first letters typed into it.
import {useApp} from '../../store/app.ts';
import {Shortcuts} from '../keys/Shortcuts.tsx';
import {Palette} from '../search/Palette.tsx';
import {Settings} from '../settings/Settings.tsx';
import {AddSource} from '../sources/AddSource.tsx';

export function Overlays() {
  const overlay = useApp(state => state.overlay);
  if (overlay === 'palette') return <Palette mode="all" />;
  if (overlay === 'jump') return <Palette mode="jump" />;
  if (overlay === 'shortcuts') return <Shortcuts />;
  if (overlay === 'settings') return <Settings />;
  if (overlay === 'add-source') return <AddSource />;
  return null;
}
