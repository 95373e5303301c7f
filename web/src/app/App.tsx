// Connect or a session: decides which page is drawn and keeps the stream on the right session.
import {lazy, Suspense, useEffect} from 'react';
import {navigate, useApp} from '../store/app.ts';
import {stream} from '../stream/client.ts';
import {useConnection} from '../stream/server-connection.ts';
import {ErrorBoundary} from './shell/ErrorBoundary.tsx';
import {Loading} from './shell/Loading.tsx';
import {Shell} from './shell/Shell.tsx';
import {useAnnouncement} from './shell/screen-reader-announcer.ts';
import {Toasts} from './shell/Toasts.tsx';

const ConnectView = lazy(() => import('../connect/ConnectView.tsx'));

export function App() {
  const page = useApp(state => state.route.page);
  const announcement = useAnnouncement(state => state.text);
  useStream();
  return (
    <>
      {page === 'connect' ? (
        <ErrorBoundary name="Connect">
          <Suspense fallback={<Loading what="Connect" />}>
            <ConnectView />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <Shell />
      )}
      <Toasts />
      <div className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </div>
    </>
  );
}

/** A sequence of another recording is no moment of this one: shown as one, it would be an empty page or a wrong one. */
function leaveForeignMoment(recording: string | null): void {
  const {route: place} = useApp.getState();
  if (place.recording === null || recording === null || place.recording === recording) return;
  if (place.moment !== null) useApp.setState({foreign: {recording, moment: place.moment}});
  navigate({moment: null, recording: null, run: null}, 'replace');
}

function useStream(): void {
  const page = useApp(state => state.route.page);
  const session = useApp(state => state.route.session);
  useEffect(() => {
    if (page === 'session') stream.start(session);
  }, [page, session]);
  useEffect(() => {
    // `/` means the session that start chose; the address says which as soon as it is known.
    return useConnection.subscribe(link => {
      const {route: place} = useApp.getState();
      leaveForeignMoment(link.recording);
      if (link.session === null || place.page !== 'session' || place.session !== null) return;
      const {name, connection} = link.session;
      if (connection.state === 'unreachable') navigate({page: 'connect'}, 'replace');
      else navigate({session: name, moment: place.moment, recording: place.recording}, 'replace');
    });
  }, []);
  useEffect(() => {
    const wake = () => {
      if (document.visibilityState === 'visible') stream.check();
    };
    document.addEventListener('visibilitychange', wake);
    window.addEventListener('online', wake);
    return () => {
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    };
  }, []);
}
