// The banner under the top bar: why the data is not live, and what to do. The data below stays visible.
import {type ReactNode, useState} from 'react';
import {collectionsBehind, listNames, staleSources} from '../../freshness/freshness.ts';
import {unreachableText} from '../../freshness/unreachable-text.ts';
import {navigate, toast, useApp} from '../../store/app.ts';
import {goLive, goTo} from '../../store/navigation.ts';
import {askForToken, signInKind} from '../../stream/access-token.ts';
import {stream} from '../../stream/client.ts';
import {apiPath, request} from '../../stream/http.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useGraph} from '../../stream/use-subscription.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {CopyCommand} from '../../ui/controls/CopyButton.tsx';
import {Icon, type IconName} from '../../ui/indicators/Icon.tsx';
import {ageText, clockText, useServerNow} from '../../ui/text/Age.tsx';
import './not-live-banner.css';

export function NotLiveBanner() {
  return (
    <>
      <SocketBanner />
      <ClusterBanner />
      <StaleSourcesBanner />
      <MomentBanner />
    </>
  );
}

function BannerBar(props: {
  tone: 'amber' | 'grey' | 'stale';
  icon: IconName;
  /** The full reason. The line shows a short one. */
  title?: string | undefined;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={`strip strip-${props.tone}`} role="status" title={props.title}>
      <Icon name={props.icon} />
      <span className="strip-words">{props.children}</span>
      {props.actions}
    </div>
  );
}

function SocketBanner() {
  const socket = useConnection(link => link.socket);
  const lostAt = useConnection(link => link.lostAt);
  const retryAt = useConnection(link => link.retryAt);
  const failure = useConnection(link => link.failure);
  const code = failure?.code;
  if (socket !== 'lost' || code === 'unknown-session') return null;
  if (code === 'unauthorized' || code === 'forbidden') {
    return (
      <BannerBar
        tone="grey"
        icon="lock"
        actions={
          <Button size="small" look="primary" onClick={askForToken}>
            {signInKind === 'token' ? 'Enter the token' : 'Sign in'}
          </Button>
        }
      >
        {signInKind === 'token' ? 'The server was started with another token.' : `${failure?.message}.`}
      </BannerBar>
    );
  }
  return (
    <BannerBar
      tone="grey"
      icon="warning"
      actions={
        <Button size="small" onClick={() => stream.retryNow()}>
          Try now
        </Button>
      }
    >
      {code === 'cluster-unreachable'
        ? `${failure?.message}.`
        : `The server has not answered since ${clockText(lostAt ?? Date.now())}.`}{' '}
      You see the last known state. <Countdown to={retryAt} page />
    </BannerBar>
  );
}

/** Seconds until a time. `page` uses the page's clock instead of the server's. */
function Countdown({to, page = false}: {to: number | null | undefined; page?: boolean}) {
  const server = useServerNow();
  if (to === null || to === undefined) return <>Trying now…</>;
  const left = Math.max(0, Math.ceil((to - (page ? Date.now() : server)) / 1000));
  return <>{left === 0 ? 'Trying now…' : `Next try in ${left} s.`}</>;
}

function ClusterBanner() {
  const session = useConnection(link => link.session);
  const socket = useConnection(link => link.socket);
  if (session === null || socket !== 'open') return null;
  if (session.engine === 'restarting') {
    const {engineTrouble: trouble} = session;
    if (trouble !== undefined)
      return (
        <BannerBar
          tone="amber"
          icon="warning"
          title={trouble.reason}
          actions={<RetryCluster name={session.name} label="Restart it now" />}
        >
          The engine process ended {trouble.ends} times in a row: {trouble.reason.slice(0, 120)}. krtscope
          starts it again by itself. If it goes on, {trouble.hint}. You see the last known state.
        </BannerBar>
      );
    return (
      <BannerBar tone="stale" icon="refresh">
        The engine process is restarting. You see the last known state. The recording is safe.
      </BannerBar>
    );
  }
  const {state, reason, hint, since, retryAt} = session.connection;
  if (state === 'lost' && session.cluster.kind === 'program')
    return (
      <BannerBar tone="stale" icon="clock" title={hint}>
        {session.cluster.context} disconnected at {clockText(since)}. You see its last known state. Restart it
        to continue here.
      </BannerBar>
    );
  if (state === 'lost' && session.cluster.kind === 'attached')
    return (
      <BannerBar
        tone="stale"
        icon="clock"
        title={[reason, hint].filter(one => one !== undefined).join('\n')}
        actions={<RetryCluster name={session.name} />}
      >
        No document from {session.cluster.context} since {clockText(since)}
        {reason === undefined ? '' : `: ${shortReason(reason)}`}.{' '}
        {session.attached?.log.level === 'debug'
          ? 'New rows and causes come from its log, the others are as last seen.'
          : 'You see the last one.'}{' '}
        {hint === undefined ? '' : `${hint[0]?.toUpperCase()}${hint.slice(1)}. `}
        <Countdown to={retryAt} />
      </BannerBar>
    );
  if (session.cluster.kind === 'demo' && (state === 'lost' || state === 'unreachable'))
    return (
      <BannerBar
        tone="stale"
        icon="clock"
        title={reason}
        actions={<RetryCluster name={session.name} label="Restart the cluster" />}
      >
        The demo cluster has not answered since {clockText(since)}. You see its last known rows. krtscope
        restarts it by itself. Changes that you made in the demo will be lost.
      </BannerBar>
    );
  if (state === 'lost') {
    return (
      <BannerBar tone="stale" icon="clock" title={reason} actions={<RetryCluster name={session.name} />}>
        The API server has not answered since {clockText(since)}
        {reason !== undefined && reason.length < 90 ? `: ${reason}` : ''}. You see the last known rows.{' '}
        <Countdown to={retryAt} />
      </BannerBar>
    );
  }
  if (state !== 'unreachable') return null;
  return (
    <BannerBar
      tone="amber"
      icon="warning"
      actions={
        <>
          {hint && session.cluster.kind !== 'attached' ? <CopyCommand command={hint} /> : null}
          <RetryCluster name={session.name} />
          <Button size="small" look="primary" onClick={() => navigate({page: 'connect'})}>
            Connect elsewhere
          </Button>
        </>
      }
    >
      {session.cluster.context} {unreachableText(reason)}.{' '}
      {hint && session.cluster.kind === 'attached' ? `${hint}. ` : null}
      <Countdown to={retryAt} />
    </BannerBar>
  );
}

/** Sources without updates while other sources of the cluster are up to date. */
function StaleSourcesBanner() {
  const graph = useGraph();
  const live = useApp(state => state.route.moment === null);
  const session = useConnection(link => link.session);
  const socket = useConnection(link => link.socket);
  if (graph === null || session === null || socket !== 'open' || !live) return null;
  if (session.engine === 'restarting' || session.connection.state !== 'connected') return null;
  const sources = staleSources(graph);
  const [oldest] = sources;
  if (oldest === undefined) return null;
  const behind = collectionsBehind(graph).length;
  const since = oldest.asOf === undefined ? '' : ` since ${clockText(oldest.asOf)}`;
  return (
    <BannerBar
      tone="stale"
      icon="clock"
      actions={
        <>
          <RetryCluster name={session.name} />
          <Button size="small" look="ghost" onClick={() => navigate({view: 'overview'})}>
            Why
          </Button>
        </>
      }
    >
      {oldest.state === 'unauthorized' ? (
        <>
          The API server does not accept the credentials for {listNames(sources)}
          {since}
        </>
      ) : oldest.state === 'forbidden' ? (
        <>
          You are not allowed to read {listNames(sources)}
          {since}
        </>
      ) : (
        <>
          No updates from {listNames(sources)}
          {since}
        </>
      )}
      {behind > 0 ? `; ${behind} ${behind === 1 ? 'collection is' : 'collections are'} behind` : ''}.
    </BannerBar>
  );
}

function RetryCluster({name, label = 'Try now'}: {name: string; label?: string}) {
  const [asking, setAsking] = useState(false);
  const retry = async () => {
    setAsking(true);
    try {
      await request(apiPath('/sessions/retry', {session: name}), {method: 'POST'});
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'error');
    }
    // The stream reports the new state.
    setAsking(false);
  };
  return (
    <Button size="small" disabled={asking} onClick={() => void retry()}>
      {asking ? 'Trying…' : label}
    </Button>
  );
}

function MomentBanner() {
  const moment = useApp(state => state.route.moment);
  const foreign = useApp(state => state.foreign);
  const recording = useConnection(link => link.recording);
  const kept = useConnection(link => link.session?.kept);
  const sequence = useConnection(link => link.sequence);
  const now = useServerNow();
  if (recording === null || kept === undefined) return null;
  if (foreign !== null && foreign.recording === recording) {
    return (
      <BannerBar
        tone="grey"
        icon="clock"
        actions={
          <Button size="small" onClick={() => useApp.setState({foreign: null})}>
            Got it
          </Button>
        }
      >
        This link points to #{foreign.moment} of another recording. You see the same place live instead.
      </BannerBar>
    );
  }
  if (moment === null) return null;
  const live = (
    <Button size="small" onClick={goLive}>
      Back to live
    </Button>
  );
  if (moment > sequence && sequence >= kept.newest.sequence)
    return (
      <BannerBar tone="grey" icon="clock" actions={live}>
        This recording has no #{moment} yet. The newest batch is #{sequence}.
      </BannerBar>
    );
  const {oldest, disk} = kept;
  if (moment >= oldest.sequence) return null;
  return (
    <BannerBar
      tone="grey"
      icon="clock"
      actions={
        <>
          <Button size="small" look="primary" onClick={() => goTo(oldest.sequence)}>
            Go to #{oldest.sequence}
          </Button>
          {live}
        </>
      }
    >
      #{moment} is no longer recorded. The oldest recorded batch is #{oldest.sequence},{' '}
      {ageText(now - oldest.time)} ago.{' '}
      {disk.state === 'writing'
        ? 'Start krtscope with --history-days or --history-disk to keep more.'
        : 'Start krtscope with --history-runs or --history-mb to record more.'}
    </BannerBar>
  );
}

const MAX_REASON = 90;

/** The end of a long reason says what is wrong: Go puts the outer calls first. */
function shortReason(reason: string): string {
  return reason.length <= MAX_REASON
    ? reason
    : `${reason.slice(0, 20).trimEnd()} … ${reason.slice(20 - MAX_REASON)}`;
}
