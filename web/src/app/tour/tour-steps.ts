// The three steps of the tour: text, shortcut, and when a step is done.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Stats} from '@krtscope/shared/timeline.ts';
import {evidenceRoute} from '../../overview/incidents/incident-actions.ts';
import {navigate, toast, useApp} from '../../store/app.ts';
import {openOrigin} from '../../store/navigation.ts';
import type {PageRoute} from '../../store/route.ts';
import {apiPath, request} from '../../stream/http.ts';

interface TourStep {
  title: string;
  words: string;
  action: string;
  show: () => Promise<void>;
  done: (place: PageRoute) => boolean;
  /** Shown when the step is done. */
  found: string;
}

function requestAnswer<T>(path: string): Promise<T> {
  return request<T>(apiPath(path, {session: useApp.getState().route.session}));
}

async function showSelectsNothing(): Promise<void> {
  const {checks} = await requestAnswer<Checks>('/checks');
  const check = checks.find(one => one.code === 'selects-nothing');
  if (check === undefined) return toast('Every Service selects a Pod right now');
  navigate(evidenceRoute(check));
}

/** The Pod that has not been running for longest. Newer ones may start while the reader looks. */
async function showNoWorkload(): Promise<void> {
  const {items} = await requestAnswer<Items>(
    `/collections/Pods/items?q=${encodeURIComponent('status.phase!=Running')}&limit=100`,
  );
  const [pod] = items.sort((one, other) => one.at - other.at);
  if (pod === undefined) return showNoService();
  openOrigin({collection: 'Workloads', key: pod.key, input: true});
}

/** Every Pod runs, so show a Workload without a Service instead. */
async function showNoService(): Promise<void> {
  const {items} = await requestAnswer<Items>('/collections/Workloads/items?limit=1000');
  const withoutService = items.find(item => (item.value as {services?: unknown[]}).services?.length === 0);
  if (withoutService === undefined) return toast('Every Pod has a Workload and a Service right now');
  toast('Every Pod is running. This one has a Workload but no Service.');
  openOrigin({collection: 'WorkloadServices', key: withoutService.key, input: true});
}

async function showWave(): Promise<void> {
  const {busiest} = await requestAnswer<Stats>('/stats');
  const most = [...busiest].sort((a, b) => b.equal - a.equal)[0];
  navigate({view: 'graph', collection: most?.collection ?? 'Workloads', key: null, moment: null});
}

export const tourSteps: TourStep[] = [
  {
    title: 'Find the Service that selects no Pods',
    words: 'The Overview lists it as a problem. Open it to see its selector.',
    action: 'Show me the Service',
    show: showSelectsNothing,
    done: place =>
      (place.view === 'why' || place.view === 'why-not') && /^Service/.test(place.collection ?? ''),
    found: 'You see the selector, and the labels of the nearest Pods.',
  },
  {
    title: 'Ask why a Pod has no Workload',
    words:
      'Workloads has one item for each running Pod. In the Sheet, the cell of other Pods is empty. Its “why?” leads to the cause.',
    action: 'Show me the Pod',
    show: showNoWorkload,
    done: place =>
      (place.view === 'origin' || place.view === 'why-not') && /^Workload/.test(place.collection ?? ''),
    found: 'The sentence says why there is no Workload. The steps below show the evidence.',
  },
  {
    title: 'See a change stop spreading',
    words:
      'A filled dot shows a change on its way. It turns hollow where the result is equal: no collection behind it runs.',
    action: 'Open the graph',
    show: showWave,
    done: place => place.view === 'graph',
    found: 'Each hollow dot is work that krt saved.',
  },
];
