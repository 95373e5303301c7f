// Draws the sign-in form, the Connect page or a session, and keeps the stream on the session of the address.
import {lazy, Suspense, useEffect} from 'react';
import {navigate, useApp} from '../store/app.ts';
import {signInKind, useAccessToken} from '../stream/access-token.ts';
import {stream} from '../stream/client.ts';
import {useConnection} from '../stream/server-connection.ts';
import {ErrorBoundary} from './shell/ErrorBoundary.tsx';
import {Loading} from './shell/Loading.tsx';
import {Shell} from './shell/Shell.tsx';
import {useAnnouncement} from './shell/screen-reader-announcer.ts';
import {Toasts} from './shell/Toasts.tsx';
import {ProxyRefusal} from './sign-in/ProxyRefusal.tsx';
import {SignIn} from './sign-in/SignIn.tsx';

const ConnectView = lazy(() => import('../connect/ConnectView.tsx'));

export function App() {
  const page = useApp(state => state.route.page);
  const asking = useAccessToken(state => state.asking);
  const announcement = useAnnouncement(state => state.text);
  useStream();
  return (
    <>
      {asking ? (
        signInKind === 'proxy' ? (
          <ProxyRefusal />
        ) : (
          <SignIn />
        )
      ) : page === 'connect' ? (
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

/** A moment of another recording would show an empty or wrong page, so leave it. */
function leaveForeignMoment(recording: string | null): void {
  const {route} = useApp.getState();
  if (route.recording === null || recording === null || route.recording === recording) return;
  if (route.moment !== null) useApp.setState({foreign: {recording, moment: route.moment}});
  navigate({moment: null, recording: null, run: null}, 'replace');
}

function useStream(): void {
  const page = useApp(state => state.route.page);
  const session = useApp(state => state.route.session);
  const token = useAccessToken(state => state.token);
  useEffect(() => {
    // Another token needs another socket.
    if (token !== null) return () => stream.stop();
  }, [token]);
  useEffect(() => {
    if (page === 'session' && token !== null) stream.start(session);
  }, [page, session, token]);
  useEffect(() => {
    // `/` means the session of the start command. Put its name in the address when it is known.
    return useConnection.subscribe(link => {
      const {route} = useApp.getState();
      leaveForeignMoment(link.recording);
      if (link.session === null || route.page !== 'session' || route.session !== null) return;
      const {name, connection} = link.session;
      if (connection.state === 'unreachable') navigate({page: 'connect'}, 'replace');
      else navigate({session: name, moment: route.moment, recording: route.recording}, 'replace');
    });
  }, []);
  useEffect(() => {
    const wake = () => {
      const {token} = useAccessToken.getState();
      if (token !== null && document.visibilityState === 'visible') stream.check();
    };
    document.addEventListener('visibilitychange', wake);
    window.addEventListener('online', wake);
    return () => {
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    };
  }, []);
}
