// The landing page: is anything wrong? Sync, lag, problems, the busiest, the last root writes, the promises.
import {Busiest} from './Busiest.tsx';
import {Lag} from './Lag.tsx';
import {Problems} from './Problems.tsx';
import {Promises} from './Promises.tsx';
import {RootWrites} from './RootWrites.tsx';
import {SyncLadder} from './SyncLadder.tsx';
import './overview.css';

export default function OverviewView() {
  return (
    <div className="overview">
      <h1 className="visually-hidden">Overview</h1>
      <div className="overview-top">
        <SyncLadder />
        <Lag />
      </div>
      <div className="overview-grid">
        <Problems />
        <Busiest />
        <RootWrites />
        <Promises />
      </div>
    </div>
  );
}
