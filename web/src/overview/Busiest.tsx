// The busiest collections of the last minute: runs, runs without effect, time.
import type {BusyCollection} from '@krtscope/shared/timeline.ts';
import {useMemo} from 'react';
import {formatMilliseconds} from '../app/shell/StatusBar.tsx';
import {select, useParam} from '../store/navigation.ts';
import {useCollection, useKind, useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {Segmented} from '../ui/controls/Tabs.tsx';
import {KindMark, KindShape} from '../ui/indicators/collection-kind.tsx';
import {Sparkline} from '../ui/indicators/Sparkline.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import {type BusyOrder, equalShare, sortByOrder} from './busy-order.ts';
import './busiest.css';

const orders: {id: BusyOrder; label: string}[] = [
  {id: 'runs', label: 'Runs'},
  {id: 'time', label: 'Time'},
  {id: 'equal', label: 'Equal'},
];

export function Busiest() {
  const stats = useLastAnswer(useSubscription({ask: 'stats'}));
  const [chosen, setChosen] = useParam('busy');
  const order = orders.find(one => one.id === chosen)?.id ?? 'runs';
  const rows = useMemo(() => sortByOrder(stats?.busiest ?? [], order).slice(0, 7), [stats, order]);
  return (
    <Panel
      title="Busiest collections"
      note="last minute"
      className="busiest"
      aside={
        <Segmented
          label="Order"
          options={orders}
          active={order}
          onPick={id => setChosen(id === 'runs' ? null : id)}
        />
      }
    >
      <table className="busy-table">
        <thead>
          <tr>
            <th scope="col">Collection</th>
            <th scope="col" className="number">
              Runs
            </th>
            <th scope="col" className="busy-equal">
              Equal share
            </th>
            <th scope="col" className="number busy-ms">
              ms / run
            </th>
            <th scope="col" className="number">
              Lag p99
            </th>
            <th scope="col" className="number busy-spark">
              1 min
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <BusyRow key={row.collection} row={row} />
          ))}
        </tbody>
      </table>
      {stats !== undefined && rows.length === 0 ? (
        <p className="busy-calm">No runs in the last minute.</p>
      ) : null}
    </Panel>
  );
}

function BusyRow({row}: {row: BusyCollection}) {
  const kind = useKind(row.collection);
  // Twelve buckets of five seconds: one-minute buckets would be a flat line for the first ten minutes.
  const spark = useCollection(row.collection)?.spark ?? row.spark;
  const share = equalShare(row);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="busy-name row bare-button gap-8"
          title={row.collection}
          onClick={() => select({collection: row.collection}, 'graph')}
        >
          <KindShape kind={kind} />
          <span>{row.collection}</span>
          <KindMark kind={kind} />
        </button>
      </th>
      <td className="number">{row.runs.toLocaleString('en')}</td>
      <td className="busy-equal">
        <span className="busy-share row gap-10">
          <span className="busy-track" aria-hidden="true">
            <span style={{width: `${share}%`}} />
          </span>
          <span className={share >= 80 ? 'tone-changed busy-hot' : ''}>{share}%</span>
        </span>
      </td>
      <td className={`number busy-ms ${row.milliseconds >= 3 ? 'tone-changed busy-hot' : ''}`}>
        {perRun(row.milliseconds)}
      </td>
      <td className="number">{row.lag === undefined ? '–' : formatMilliseconds(row.lag)}</td>
      <td className="busy-spark">
        <Sparkline values={spark} />
      </td>
    </tr>
  );
}

function perRun(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 0.01) return '<0.01';
  return milliseconds < 10
    ? milliseconds.toFixed(milliseconds < 0.1 ? 2 : 1)
    : String(Math.round(milliseconds));
}
