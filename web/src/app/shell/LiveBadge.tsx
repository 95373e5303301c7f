// Shows whether the page is live, paused or stale. The clock is the server's.
import {listNames, staleSources} from '../../freshness/freshness.ts';
import {goLive, pause, useMoment} from '../../store/navigation.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useGraph} from '../../stream/use-subscription.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {clockText, useServerNow} from '../../ui/text/Age.tsx';

export function LiveBadge() {
  const {moment, live} = useMoment();
  const socket = useConnection(link => link.socket);
  const recording = useConnection(link => link.session?.cluster.kind === 'recording');
  const sequence = useConnection(link => link.sequence);
  const isAnswering = useConnection(
    link => link.session === null || ['connected', 'offline'].includes(link.session.connection.state),
  );
  const since = useConnection(link => link.session?.connection.since ?? 0);
  const isUnreachable = useConnection(link => link.session?.connection.state === 'unreachable');
  const reason = useConnection(link => link.session?.connection.reason);
  const graph = useGraph();
  const stale = graph === null ? [] : staleSources(graph);
  const oldest = stale[0];
  if (!live) {
    const news = Math.max(0, sequence - (moment ?? 0));
    return (
      <div className="live-badge inline-row gap-8 live-paused">
        <Icon name="pause" size={14} />
        <b>PAUSED</b>
        <span className="live-turn mono">#{moment}</span>
        <button
          type="button"
          className="live-news inline-row gap-4"
          onClick={goLive}
          aria-label={`${news} new, back to live`}
        >
          {news > 9999 ? '9,999+' : news.toLocaleString('en')} new <Icon name="right" size={12} />
        </button>
      </div>
    );
  }
  if (recording) {
    return (
      <div className="live-badge inline-row gap-8">
        <Icon name="file" size={14} />
        <b>RECORDING</b>
        <span className="mono">#{sequence}</span>
      </div>
    );
  }
  if (socket === 'open' && !isAnswering) {
    return (
      <button
        type="button"
        className="live-badge inline-row gap-8 live-stale"
        onClick={pause}
        title={reason ?? 'The cluster does not answer. You see the last known state.'}
      >
        <Icon name="clock" size={14} />
        {isUnreachable && oldest?.asOf === undefined ? (
          <b>NO DATA YET</b>
        ) : (
          <>
            <b>AS OF</b>
            <span className="mono">{clockText(oldest?.asOf ?? since)}</span>
          </>
        )}
      </button>
    );
  }
  if (socket === 'open' && oldest) {
    return (
      <button
        type="button"
        className="live-badge inline-row gap-8 live-stale"
        onClick={pause}
        title={`No updates from ${stale.map(one => one.name).join(', ')}. You see the last known rows.`}
      >
        <Icon name="clock" size={14} />
        <b>{listNames(stale)}</b>
        <span className="mono">
          {oldest.asOf === undefined ? 'no data yet' : `as of ${clockText(oldest.asOf)}`}
        </span>
      </button>
    );
  }
  return (
    <button type="button" className="live-badge inline-row gap-8" onClick={pause} title="Pause (Space)">
      <span className={`live-lamp ${socket === 'open' ? '' : 'live-off'}`} />
      <b>{socket === 'open' ? 'LIVE' : 'WAITING'}</b>
      <Clock />
    </button>
  );
}

function Clock() {
  const now = useServerNow();
  return (
    <span className="mono live-clock" aria-hidden="true">
      {clockText(now)}
    </span>
  );
}
