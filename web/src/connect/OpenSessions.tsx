// The sessions open in this server, and what krtscope reads and writes.
import type {SessionAnswer, SessionsAnswer} from '@krtscope/shared/session.ts';
import {unreachableText} from '../freshness/unreachable-text.ts';
import {navigate, toast} from '../store/app.ts';
import {apiPath, RequestError, request} from '../stream/http.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {Icon, type IconName} from '../ui/indicators/Icon.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import './open-sessions.css';
import {plural} from '../ui/text/plural.ts';

const icons: Record<SessionAnswer['cluster']['kind'], IconName> = {
  live: 'cube',
  demo: 'play',
  recording: 'file',
  program: 'bolt',
  attached: 'eye',
};

export function OpenSessions() {
  const {answer, again} = useAnswer<SessionsAnswer>('/sessions');
  const sessions = answer?.sessions ?? [];
  return (
    <div className="connect-below">
      <Panel
        title="Open now"
        note={sessions.length === 0 ? 'nothing yet' : 'switching keeps them all running'}
      >
        <ul className="plain-list">
          {sessions.map((session, at) => (
            <li key={session.name} className="open-row row">
              <button
                type="button"
                className="open-main row bare-button gap-10"
                onClick={() =>
                  navigate({
                    page: 'session',
                    session: session.name,
                    view: 'overview',
                    collection: null,
                    key: null,
                    params: {},
                  })
                }
              >
                <Icon name={icons[session.cluster.kind]} />
                <b title={session.name}>{session.name}</b>
                <span className="open-note ellipsis" title={describe(session)}>
                  {describe(session)}
                </span>
              </button>
              {at === 0 ? null : (
                <IconButton
                  icon="close"
                  label={`Close ${session.name}`}
                  onClick={() => close(session.name).then(again)}
                />
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="What krtscope accesses">
        <ul className="touch-list plain-list">
          <li>
            <Icon name="check" size={14} /> Lists and watches 10 kinds, never writes
          </li>
          <li>
            <Icon name="check" size={14} /> Secret values stay hidden, keys only
          </li>
          <li>
            <Icon name="check" size={14} /> Listens on loopback, token in the link
          </li>
        </ul>
      </Panel>
    </div>
  );
}

function describe(session: SessionAnswer): string {
  const {cluster, connection, kept} = session;
  if (connection.state === 'unreachable') return unreachableText(connection.reason);
  if (cluster.kind === 'program')
    return `program${cluster.pid === undefined ? '' : `, process ${cluster.pid}`}, ${connection.state === 'connected' ? 'connected' : 'disconnected'}, ${plural(kept.runs, 'run')} kept`;
  if (cluster.kind === 'attached')
    return `${cluster.server}, ${connection.state === 'connected' ? 'polled every few seconds' : 'unreachable'}`;
  if (cluster.kind === 'recording') return `${plural(kept.runs, 'run')} recorded`;
  return `${cluster.version}, ${plural(kept.runs, 'run')} kept`;
}

async function close(name: string): Promise<void> {
  try {
    await request(apiPath('/sessions', {session: name}), {method: 'DELETE'});
  } catch (error) {
    toast(error instanceof RequestError ? error.failure.message : String(error), 'error');
  }
}
