// What floats above the page: palette, jump, shortcuts, settings. One at a time.
import {lazy, Suspense} from 'react';
import {useApp} from '../store/app.ts';

const Palette = lazy(() => import('./Palette.tsx'));
const Shortcuts = lazy(() => import('./Shortcuts.tsx'));
const Settings = lazy(() => import('./Settings.tsx'));

export function Overlays() {
  const overlay = useApp(state => state.overlay);
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' ? <Palette mode="all" /> : null}
      {overlay === 'jump' ? <Palette mode="jump" /> : null}
      {overlay === 'shortcuts' ? <Shortcuts /> : null}
      {overlay === 'settings' ? <Settings /> : null}
    </Suspense>
  );
}
