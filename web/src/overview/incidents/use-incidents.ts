// The incidents at the moment on screen, in a stable order, and the selected one.
import type {Incident} from '@krtscope/shared/incidents.ts';
import {useMemo, useState} from 'react';
import {useNamespace, useParam} from '../../store/navigation.ts';
import {useRequestedMoment} from '../../stream/requested-moment.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {concernsNamespace, stableIncidentOrder} from './incident-order.ts';
import {firstToShow} from './incident-state.ts';

export interface IncidentList {
  loaded: boolean;
  /** Open incidents, and those that ended while the page was open. */
  shown: Incident[];
  /** Incidents that had ended before. */
  ended: Incident[];
  chosen: Incident | undefined;
  choose(incident: Incident): void;
}

export function useIncidents(): IncidentList {
  const answer = useLastAnswer(useSubscription({ask: 'incidents', state: 'all'}));
  const [namespace] = useNamespace();
  const moment = useRequestedMoment(state => state.moment);
  const [id, setId] = useParam('incident');
  const [previous, setPrevious] = useState<{moment: number | null; order: readonly string[]}>({
    moment,
    order: [],
  });
  const [first, setFirst] = useState<string>();
  const all = useMemo(
    () => (answer?.incidents ?? []).filter(one => concernsNamespace(one, namespace)),
    [answer, namespace],
  );
  const order = stableIncidentOrder(previous.moment === moment ? previous.order : [], all);
  if (order.join('\n') !== previous.order.join('\n') || previous.moment !== moment)
    setPrevious({moment, order});
  const byId = new Map(all.map(one => [one.id, one]));
  const shown = order.flatMap(one => byId.get(one) ?? []);
  // Once shown, it stays although it recovers: the reader may be in the middle of it.
  const start = firstToShow(shown)?.id;
  if (start !== undefined && !byId.has(first ?? '')) setFirst(start);
  const ended = all.filter(one => one.ended !== undefined && !order.includes(one.id));
  return {
    loaded: answer !== undefined,
    shown,
    ended,
    chosen: byId.get(id ?? '') ?? byId.get(first ?? '') ?? ended[0],
    choose: incident => setId(incident.id),
  };
}
