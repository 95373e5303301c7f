// Shown when the address names a view or collection that does not exist.
import {navigate, useApp} from '../../store/app.ts';
import {goLive, select} from '../../store/navigation.ts';
import {useGraph} from '../../stream/use-subscription.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {EmptyState} from '../../ui/layout/Panel.tsx';
import {matchEntries} from '../search/palette-entries.ts';
import {viewEntries} from '../views.tsx';

/** The unknown part of the address. Null while the graph has not arrived. */
export function useUnknownPlace(): {view: string} | {collection: string} | null {
  const unknown = useApp(state => state.route.unknown);
  const collection = useApp(state => state.route.collection);
  const view = useApp(state => state.route.view);
  const graph = useGraph();
  if (unknown !== null) return {view: unknown};
  if (collection === null || graph === null || graph.collections.length === 0) return null;
  if (view === 'overview' || view === 'lab' || view === 'controllers') return null;
  return graph.collections.some(one => one.name === collection) ? null : {collection};
}

export function UnknownPlace({what}: {what: {view: string} | {collection: string}}) {
  return 'view' in what ? <UnknownView name={what.view} /> : <UnknownCollection name={what.collection} />;
}

function UnknownView({name}: {name: string}) {
  return (
    <div className="no-session">
      <EmptyState
        title={`There is no view “${name}”`}
        actions={Object.values(viewEntries)
          .filter(entry => entry.keys !== undefined)
          .map(entry => (
            <Button key={entry.id} keys={entry.keys} onClick={() => navigate({view: entry.id})}>
              {entry.label}
            </Button>
          ))}
      >
        The link may come from another version of krtscope.
      </EmptyState>
    </div>
  );
}

function UnknownCollection({name}: {name: string}) {
  const graph = useGraph();
  const moment = useApp(state => state.route.moment);
  const view = useApp(state => state.route.view);
  const near = matchEntries(
    (graph?.collections ?? []).map(one => ({
      id: one.name,
      group: 'Collections',
      label: one.name,
      run: () => select({collection: one.name}, view),
    })),
    name.slice(0, 4),
  ).slice(0, 3);
  return (
    <div className="no-session">
      <EmptyState
        title={`There is no collection “${name}”`}
        actions={
          <>
            {near.map(entry => (
              <Button key={entry.id} onClick={entry.run}>
                {entry.label}
              </Button>
            ))}
            <Button onClick={() => navigate({collection: null, key: null, run: null})}>
              All collections
            </Button>
            {moment === null ? null : (
              <Button keys="Shift+End" onClick={goLive}>
                Back to live
              </Button>
            )}
          </>
        }
      >
        {moment === null
          ? 'This session has no collection with that name.'
          : `This session had no collection with that name at #${moment}.`}
      </EmptyState>
    </div>
  );
}
