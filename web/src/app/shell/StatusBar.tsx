// The bar at the bottom: engine rate and latency, recording cost, redaction.
import type {DiskHistory} from '@krtscope/shared/retention/disk-history.ts';
import {openOverlay} from '../../store/app.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useSubscription} from '../../stream/use-subscription.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import './status-bar.css';

export function StatusBar() {
  const {answer: stats} = useSubscription({ask: 'stats', at: undefined});
  const session = useConnection(link => link.session);
  const sequence = useConnection(link => link.sequence);
  return (
    <footer className="status-bar bar">
      <span>
        <b>Engine</b> krtscope {session?.version ?? ''} ·{' '}
        <span data-testid="turn" className="mono">
          #{sequence}
        </span>
      </span>
      {stats === undefined ? null : (
        <>
          <span className="status-fact">
            <b>{Math.round(stats.runsPerMinute).toLocaleString('en')}</b> runs/min
          </span>
          <span
            className="status-fact"
            title="Input-to-output latency over the last minute. – means none was measured"
          >
            lag p99 <b>{stats.lag.p99 === undefined ? '–' : formatMilliseconds(stats.lag.p99)}</b>
          </span>
          {stats.recorderCost === undefined ? null : (
            <span
              className="status-fact"
              title={`Milliseconds of each second that recording takes: ${(stats.recorder * 100).toFixed(0)} % of the engine's work`}
            >
              recording <b>{formatMilliseconds(stats.recorderCost)}</b>/s
            </span>
          )}
        </>
      )}
      <span className="status-end row">
        <HistoryWarning disk={session?.kept.disk} />
        {session === null ? null : session.redacted ? (
          <span className="status-fact">
            <Icon name="lock" size={12} /> secrets redacted
          </span>
        ) : (
          <span className="status-warn">
            <Icon name="warning" size={12} /> secrets shown
          </span>
        )}
        <span>read-only</span>
        <button
          type="button"
          className="status-button inline-row bare-button gap-6"
          onClick={() => openOverlay('shortcuts')}
        >
          <Kbd keys="?" /> <span className="status-fact">shortcuts</span>
        </button>
      </span>
    </footer>
  );
}

/** Says that history is not written to disk, and why. */
function HistoryWarning({disk}: {disk: DiskHistory | undefined}) {
  if (disk === undefined || (disk.state !== 'failing' && disk.state !== 'read-only')) return null;
  if (disk.state === 'read-only' && disk.reason === undefined) return null;
  return (
    <span className="status-warn" title={disk.reason}>
      <Icon name="warning" size={12} />{' '}
      {disk.state === 'failing' ? `history is in memory only: ${disk.reason}` : 'history is not written here'}
    </span>
  );
}

/** `38 ms`, with one decimal under ten. */
export function formatMilliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
