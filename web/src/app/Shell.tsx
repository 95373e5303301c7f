// The frame of a session: rail, top bar, the view, Inspector, Timeline, status bar. Leaves content to the parts.
import {lazy, Suspense} from 'react';
import {useApp} from '../store/app.ts';
import {useKeepGraph} from '../stream/hooks.ts';
import {Rail} from './Rail.tsx';
import {StatusBar} from './StatusBar.tsx';
import {TopBar} from './TopBar.tsx';
import {viewEntries} from './views.tsx';
import './shell.css';

const Inspector = lazy(() => import('../inspector/Inspector.tsx'));
const Timeline = lazy(() => import('../timeline/Timeline.tsx'));

/** Whether the Inspector is drawn: the person's choice first, then the view's habit; Why has its own evidence. */
export function useInspectorOpen(): boolean {
  return useApp(({place}) => {
    if (place.view === 'why' || place.view === 'why-not' || place.collection === null) return false;
    return place.inspector ?? (viewEntries[place.view].inspector && place.key !== null);
  });
}

export function Shell() {
  const view = useApp(state => state.place.view);
  const inspector = useInspectorOpen();
  useKeepGraph();
  const View = viewEntries[view].component;
  return (
    <div className="shell">
      <Rail />
      <div className="shell-body">
        <TopBar />
        <div className="shell-middle">
          <main className="shell-view" aria-label={viewEntries[view].label}>
            <Suspense fallback={null}>
              <View />
            </Suspense>
          </main>
          {inspector ? (
            <Suspense fallback={<div className="shell-inspector" />}>
              <Inspector />
            </Suspense>
          ) : null}
        </div>
        <Suspense fallback={<div className="shell-timeline" />}>
          <Timeline />
        </Suspense>
        <StatusBar />
      </div>
    </div>
  );
}
