// Live or paused, to be told apart from across a room; the clock is the server's.
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
  const answers = useConnection(
    link => link.session === null || ['connected', 'offline'].includes(link.session.connection.state),
  );
  const since = useConnection(link => link.session?.connection.since ?? 0);
  const never = useConnection(link => link.session?.connection.state === 'unreachable');
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
          {news > 9999 ? '9999+' : news} new <Icon name="right" size={12} />
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
  if (socket === 'open' && !answers) {
    return (
      <button
        type="button"
        className="live-badge inline-row gap-8 live-stale"
        onClick={pause}
        title={reason ?? 'The cluster does not answer; you see the last known state'}
      >
        <Icon name="clock" size={14} />
        {never && oldest?.asOf === undefined ? (
          <b>NEVER HEARD</b>
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
        title={`${stale.map(one => one.name).join(', ')}: not heard since. Rows are the last ones heard.`}
      >
        <Icon name="clock" size={14} />
        <b>{listNames(stale)}</b>
        <span className="mono">
          {oldest.asOf === undefined ? 'never heard' : `as of ${clockText(oldest.asOf)}`}
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
