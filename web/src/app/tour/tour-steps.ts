// The tour's three steps: what to find, how to get there in one click, how to tell that one is there.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Stats} from '@krtscope/shared/timeline.ts';
import {evidenceRoute} from '../../overview/incident-actions.ts';
import {navigate, toast, useApp} from '../../store/app.ts';
import {openOrigin} from '../../store/navigation.ts';
import type {PageRoute} from '../../store/route.ts';
import {apiPath, request} from '../../stream/http.ts';

export interface TourStep {
  title: string;
  words: string;
  action: string;
  show: () => Promise<void>;
  done: (place: PageRoute) => boolean;
  /** Said when the person is there. */
  found: string;
}

function requestAnswer<T>(path: string): Promise<T> {
  return request<T>(apiPath(path, {session: useApp.getState().route.session}));
}

async function showSelectsNothing(): Promise<void> {
  const {checks} = await requestAnswer<Checks>('/checks');
  const check = checks.find(one => one.code === 'selects-nothing');
  if (check === undefined) return toast('Every Service selects something just now');
  navigate(evidenceRoute(check));
}

/** The Pod that has not run for longest: others come up while one reads about them. */
async function showNoWorkload(): Promise<void> {
  const {items} = await requestAnswer<Items>(
    `/collections/Pods/items?q=${encodeURIComponent('status.phase!=Running')}&limit=100`,
  );
  const [pod] = items.sort((one, other) => one.at - other.at);
  if (pod === undefined) return showNoService();
  openOrigin({collection: 'Workloads', key: pod.key, input: true});
}

/** While every Pod runs, the same question one step on: why does a Workload have no service? */
async function showNoService(): Promise<void> {
  const {items} = await requestAnswer<Items>('/collections/Workloads/items?limit=1000');
  const lonely = items.find(item => (item.value as {services?: unknown[]}).services?.length === 0);
  if (lonely === undefined) return toast('Every Pod has its Workload and its Service just now');
  toast('Every Pod runs just now; this one has a Workload, but no service');
  openOrigin({collection: 'WorkloadServices', key: lonely.key, input: true});
}

async function showWave(): Promise<void> {
  const {busiest} = await requestAnswer<Stats>('/stats');
  const most = [...busiest].sort((a, b) => b.equal - a.equal)[0];
  navigate({view: 'graph', collection: most?.collection ?? 'Workloads', key: null, moment: null});
}

export const tourSteps: TourStep[] = [
  {
    title: 'Find the Service that selects nothing',
    words: 'The Overview ranks it among the problems: open it and read which label it wants.',
    action: 'Show me the Service',
    show: showSelectsNothing,
    done: place =>
      (place.view === 'why' || place.view === 'why-not') && /^Service/.test(place.collection ?? ''),
    found: 'This is it: the selector, and what the nearest Pods say instead.',
  },
  {
    title: 'Ask why a Pod has no Workload',
    words:
      'Workloads holds one item for each running Pod. In the Sheet the cell of the others says empty; its why? walks back to the write.',
    action: 'Ask for me',
    show: showNoWorkload,
    done: place =>
      (place.view === 'origin' || place.view === 'why-not') && /^Workload/.test(place.collection ?? ''),
    found: 'The sentence begins with who wrote what; the steps below prove it one by one.',
  },
  {
    title: 'See a wave stop',
    words:
      'A change runs along the wires as a filled dot. Where the result is equal it turns hollow and stops: nothing behind it runs.',
    action: 'Open the graph',
    show: showWave,
    done: place => place.view === 'graph',
    found: 'Watch the hollow dots: each one is work that krt did not do.',
  },
];
