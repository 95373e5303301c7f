// Connect: a cluster, the demo, a recording or a program. Opens by itself only if the chosen cluster does not
// answer.
import './connect-view.css';
import type {Contexts, SessionAnswer} from '@krtscope/shared/session.ts';
import {useCallback, useEffect, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {Logo} from '../app/Logo.tsx';
import {Overlays} from '../app/shell/Overlays.tsx';
import {ThemeMenu} from '../app/shell/TopBar.tsx';
import {navigate, openOverlay, toast} from '../store/app.ts';
import {errorText} from '../stream/failure-text.ts';
import {apiPath, RequestError, request} from '../stream/http.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {AttachRow} from './AttachRow.tsx';
import {DemoCard} from './DemoCard.tsx';
import {FileCard} from './FileCard.tsx';
import {LiveCard} from './LiveCard.tsx';
import {OpenSessions} from './OpenSessions.tsx';
import {attachTo, openFiles, openSession} from './open-session.ts';
import {StoredRecordings} from './StoredRecordings.tsx';

type ConnectChoice = 'live' | 'demo' | 'file';
type ConnectTarget = ConnectChoice | 'attached';

export default function ConnectView() {
  const {contexts, reload, loading} = useContexts();
  const [context, setContext] = useState<string | null>(null);
  const [namespaces, setNamespaces] = useState('');
  const [choice, setChoice] = useState<ConnectChoice | null>(null);
  const [busy, setBusy] = useState<ConnectTarget | null>(null);
  const [file, setFile] = useState<string | null>(null);
  const [problem, setProblem] = useState<{where: ConnectTarget; text: string} | null>(null);
  const current =
    context ?? contexts?.contexts.find(one => one.current)?.name ?? contexts?.contexts[0]?.name ?? null;
  const usable = contexts?.contexts.some(one => one.reachable) ?? false;
  const highlighted = choice ?? (usable ? 'live' : 'demo');
  const enter = useCallback((where: ConnectTarget, opening: Promise<SessionAnswer>) => {
    setBusy(where);
    setProblem(null);
    opening.then(
      session =>
        navigate({
          page: 'session',
          session: session.name,
          view: 'overview',
          collection: null,
          key: null,
          params: {},
        }),
      (error: unknown) => {
        setBusy(null);
        setProblem({where, text: errorText(error)});
      },
    );
  }, []);
  const openLive = () => {
    if (current === null) toast('The kubeconfig names no context', 'error');
    else enter('live', openSession({context: current, ...chosenNamespaces(namespaces)}));
  };
  const openDemo = () => enter('demo', openSession({demo: true}));
  const openChosen = (chosen: readonly File[]) => {
    setFile(chosen.map(({name}) => name).join(', '));
    enter('file', openFiles(chosen));
  };
  const pickFile = () => document.getElementById('recording')?.click();
  const open = {live: openLive, demo: openDemo, file: pickFile};
  useKeys({
    Enter: {says: 'open the highlighted choice', group: 'Here', run: () => open[highlighted]()},
    d: {says: 'open the demo', group: 'Here', run: openDemo},
    o: {says: 'open a file', group: 'Here', run: pickFile},
    '?': {says: 'shortcuts', group: 'Move', run: () => openOverlay('shortcuts')},
    'Mod+K': {says: 'commands', group: 'Move', typing: true, run: () => openOverlay('palette')},
  });
  const problemAt = (where: ConnectTarget) => (problem?.where === where ? problem.text : null);
  return (
    <div className="connect">
      <ConnectHead />
      <main className="connect-main" aria-label="Connect">
        <h1 className="connect-title">What do you want to debug?</h1>
        <p className="connect-lead">{leadText(contexts, loading)}</p>
        <div className="connect-cards">
          <LiveCard
            contexts={contexts}
            loading={loading}
            current={current}
            highlighted={highlighted === 'live'}
            busy={busy === 'live'}
            problem={problemAt('live')}
            namespaces={namespaces}
            onNamespaces={setNamespaces}
            onContext={name => {
              setContext(name);
              setChoice('live');
            }}
            onRetry={reload}
            onOpen={openLive}
          />
          <DemoCard
            highlighted={highlighted === 'demo'}
            busy={busy === 'demo'}
            problem={problemAt('demo')}
            onOpen={openDemo}
          />
          <FileCard
            highlighted={highlighted === 'file'}
            opening={busy === 'file' ? file : null}
            problem={problemAt('file')}
            onFiles={openChosen}
          />
        </div>
        <AttachRow
          busy={busy === 'attached'}
          problem={problemAt('attached')}
          onAttach={krtz => enter('attached', attachTo(krtz))}
        />
        <OpenSessions />
        <StoredRecordings onOpen={opening => enter('file', opening)} />
      </main>
      <ConnectFoot context={current} />
      <Overlays />
    </div>
  );
}

/** An empty field or `all` means the server's own namespaces. */
function chosenNamespaces(text: string): {namespaces?: string[]} {
  const names = text.split(/[\s,]+/).filter(name => name !== '');
  return names.length === 0 || names[0] === 'all' ? {} : {namespaces: names};
}

function leadText(contexts: Contexts | null, loading: boolean): string {
  if (contexts === null) return loading ? 'Looking for a kubeconfig.' : 'The server does not answer.';
  const count = contexts.contexts.length;
  const demo = 'The demo needs no cluster and no network.';
  if (contexts.kubeconfig === undefined || count === 0) return `No kubeconfig found. ${demo}`;
  return `Found a kubeconfig with ${count} ${count === 1 ? 'context' : 'contexts'}. ${demo}`;
}

function useContexts() {
  const [contexts, setContexts] = useState<Contexts | null>(null);
  const [loading, setLoading] = useState(true);
  const reload = useCallback(() => {
    setLoading(true);
    request<Contexts>(apiPath('/contexts'))
      .then(setContexts)
      .catch((error: unknown) =>
        toast(error instanceof RequestError ? error.failure.message : String(error), 'error'),
      )
      .finally(() => setLoading(false));
  }, []);
  useEffect(reload, [reload]);
  return {contexts, reload, loading};
}

function ConnectHead() {
  return (
    <header className="connect-head bar gap-10">
      <Logo size={26} />
      <span className="wordmark">
        <b>krt</b>scope
      </span>
      <span className="connect-fact">
        <Icon name="lock" size={13} /> read-only
      </span>
      <span className="connect-fact connect-place">{window.location.host}, this machine only</span>
      <ThemeMenu />
    </header>
  );
}

function ConnectFoot({context}: {context: string | null}) {
  const {answer} = useAnswer<SessionAnswer>('/session');
  return (
    <footer className="connect-foot bar">
      <span>krtscope {answer?.version}</span>
      <button
        type="button"
        className="status-button inline-row bare-button gap-6"
        onClick={() => openOverlay('shortcuts')}
      >
        <Kbd keys="?" /> shortcuts
      </button>
      <button
        type="button"
        className="status-button inline-row bare-button gap-6"
        onClick={() => openOverlay('palette')}
      >
        <Kbd keys="Mod+K" /> commands
      </button>
      {context === null ? null : (
        <code className="connect-command ellipsis" title={`npm start -- --context ${context}`}>
          npm start -- --context {context}
        </code>
      )}
    </footer>
  );
}
