// The open overlay: palette, jump list, shortcuts, settings or a new source.
// They load with the page: a late palette would lose the first typed letters.
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
