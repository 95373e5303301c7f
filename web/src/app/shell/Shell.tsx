// The layout of a session: rail, top bar, view, Inspector, Timeline, status bar.
import {lazy, Suspense} from 'react';
import {useApp} from '../../store/app.ts';
import {hasInspector} from '../../store/route.ts';
import {useMomentClockFeed} from '../../stream/moment-clock.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useGraphFeed} from '../../stream/use-subscription.ts';
import {useTimeKeys} from '../../timeline/use-time-keys.ts';
import {useShellKeys} from '../keys/use-shell-keys.ts';
import {focusView} from '../keys/view-focus.ts';
import {Tour} from '../tour/Tour.tsx';
import {viewEntries} from '../views.tsx';
import {ErrorBoundary} from './ErrorBoundary.tsx';
import {Loading} from './Loading.tsx';
import {NoSession} from './NoSession.tsx';
import {NotLiveBanner} from './NotLiveBanner.tsx';
import {Overlays} from './Overlays.tsx';
import {PinBar} from './PinBar.tsx';
import {Rail} from './Rail.tsx';
import {StatusBar} from './StatusBar.tsx';
import {TopBar} from './TopBar.tsx';
import {UnknownPlace, useUnknownPlace} from './UnknownPlace.tsx';
import {useAnnounceChanges} from './use-announce-changes.ts';
import './shell.css';

const Inspector = lazy(() => import('../../inspector/Inspector.tsx'));
const Timeline = lazy(() => import('../../timeline/Timeline.tsx'));

/** The reader's choice, or else the view's default. Only views that show the selection have an Inspector. */
export function useInspectorOpen(): boolean {
  return useApp(({route: place}) => {
    if (!hasInspector(place.view) || place.collection === null) return false;
    // The comparison has its own panel. Both would leave no room for the rows.
    if (place.inspector === null && place.params.vs !== undefined) return false;
    return place.inspector ?? (viewEntries[place.view].inspector && place.key !== null);
  });
}

/** The first Tab stop, so that the keyboard passes the rail and the top bar at once. */
function SkipLink() {
  return (
    <button type="button" className="skip-link" onClick={focusView}>
      Skip to the view
    </button>
  );
}

export function Shell() {
  const view = useApp(state => state.route.view);
  const inspector = useInspectorOpen();
  const missing = useConnection(link => link.failure?.code === 'unknown-session');
  useGraphFeed();
  useMomentClockFeed();
  useShellKeys();
  useTimeKeys();
  useAnnounceChanges();
  const unknown = useUnknownPlace();
  const View = viewEntries[view].component;
  return (
    <div className="shell">
      <SkipLink />
      <Rail />
      <div className="shell-body column">
        <TopBar />
        <NotLiveBanner />
        <Tour />
        <div className="shell-middle" data-view={view}>
          <main id="view" className="shell-view column" tabIndex={-1} aria-label={viewEntries[view].label}>
            {missing ? (
              <NoSession />
            ) : unknown !== null ? (
              <UnknownPlace what={unknown} />
            ) : (
              <ErrorBoundary key={view} name={viewEntries[view].label}>
                <Suspense fallback={<Loading what={viewEntries[view].label} />}>
                  <View />
                </Suspense>
              </ErrorBoundary>
            )}
          </main>
          {inspector ? (
            <ErrorBoundary name="The Inspector">
              <Suspense fallback={<div className="shell-inspector" />}>
                <Inspector />
              </Suspense>
            </ErrorBoundary>
          ) : null}
        </div>
        <PinBar />
        <ErrorBoundary name="The Timeline">
          <Suspense fallback={<div className="shell-timeline" />}>
            <Timeline />
          </Suspense>
        </ErrorBoundary>
        <StatusBar />
      </div>
      <Overlays />
    </div>
  );
}
