// The landing page: sync, lag, incidents and the selected one's story, root writes, the busiest collections,
// checks.
import {useConnection} from '../stream/server-connection.ts';
import {Busiest} from './Busiest.tsx';
import {ChecksPanel} from './ChecksPanel.tsx';
import {InformerLag} from './InformerLag.tsx';
import {IncidentDetail} from './incidents/IncidentDetail.tsx';
import {Incidents} from './incidents/Incidents.tsx';
import {useIncidents} from './incidents/use-incidents.ts';
import {Lag} from './Lag.tsx';
import {RootWrites} from './RootWrites.tsx';
import {SyncPanel} from './SyncPanel.tsx';
import './overview-view.css';

export default function OverviewView() {
  const list = useIncidents();
  // The latency of an attached program cannot be measured from outside.
  const isAttached = useConnection(link => link.session?.cluster.kind === 'attached');
  return (
    <div className="overview">
      <h1 className="visually-hidden">Overview</h1>
      <div className="overview-top">
        <SyncPanel />
        {isAttached ? <InformerLag /> : <Lag />}
      </div>
      <div className={`overview-incidents ${list.loaded && !list.chosen ? 'overview-calm' : ''}`}>
        <Incidents list={list} />
        {list.chosen ? <IncidentDetail key={list.chosen.id} incident={list.chosen} /> : null}
      </div>
      <div className="overview-grid">
        <RootWrites />
        <Busiest />
        <ChecksPanel />
      </div>
    </div>
  );
}
