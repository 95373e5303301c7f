// Titles, messages and hints of the checks of the cluster: Services, Pods, endpoints.
import {objectName} from '@krtscope/shared/object-name.ts';
import {countWords, listWords} from './value-words.ts';

/** What a check says. The hint is a command or an advice. */
export interface CheckWords {
  readonly title: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

const named = (collection: string, key: string): string => objectName({collection, key});

function pairWords(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

export function selectsNothingWords(service: {
  key: string;
  namespace: string;
  selector: Readonly<Record<string, string>>;
  /** Pods in its namespace. */
  pods: number;
}): CheckWords {
  const {key, namespace, selector, pods} = service;
  const among =
    pods === 0
      ? `namespace ${namespace} has no Pods`
      : `none of the ${countWords(pods, 'Pod')} in namespace ${namespace} has that`;
  return {
    title: `${named('Services', key)} selects no Pod`,
    message: `${named('Services', key)} selects ${pairWords(selector)}, and ${among}`,
    hint: `kubectl -n ${namespace} get pods --show-labels`,
  };
}

export function unselectedPodWords(pod: {
  key: string;
  label: string;
  has: string | undefined;
  wanted: string;
  service: string;
  siblings: number;
  command: string | undefined;
}): CheckWords {
  const {key, label, has, wanted, service, siblings, command} = pod;
  const own = has === undefined ? `no label ${label}` : `${label}=${has}`;
  const others = `${countWords(siblings, 'sibling')} ${siblings === 1 ? 'has' : 'have'} ${label}=${wanted}`;
  return {
    title: `No Service selects ${named('Pods', key)}`,
    message: `${named('Pods', key)} has ${own}, and ${named('Services', service)} selects ${label}=${wanted}; ${others}`,
    hint: command,
  };
}

export function crashLoopWords(pod: {
  key: string;
  container: string | undefined;
  restarts: number;
  exitCode?: number | undefined;
  reason?: string | undefined;
}): CheckWords {
  const {key, container, restarts, exitCode, reason} = pod;
  const slash = key.indexOf('/');
  const exit = exitCode === undefined ? '' : `, exit code ${exitCode}${reason ? ` (${reason})` : ''}`;
  const which = container === undefined ? '' : ` -c ${container}`;
  return {
    title: `${named('Pods', key)} is crash-looping`,
    message: `${named('Pods', key)} is in CrashLoopBackOff: container ${container ?? '?'} restarted ${countWords(restarts, 'time')}${exit}`,
    hint: `kubectl -n ${key.slice(0, slash)} logs ${key.slice(slash + 1)} --previous${which}`,
  };
}

export type Disagreement = 'only-pods' | 'only-slices' | 'ready-differs';

const disagreementWords: Record<Disagreement, (count: number) => string> = {
  'only-pods': count => `${count === 1 ? 'is' : 'are'} in no EndpointSlice`,
  'only-slices': count =>
    count === 1 ? 'is in an EndpointSlice, and no Pod has it' : 'are in EndpointSlices, and no Pod has them',
  'ready-differs': count => `${count === 1 ? 'is' : 'are'} ready on one side only`,
};

export function endpointsDisagreeWords(
  service: string,
  backends: readonly string[],
  how: Disagreement,
): CheckWords {
  const slash = service.indexOf('/');
  const names = listWords(
    backends.map(key => named('Backends', key)),
    2,
  );
  return {
    title: `Endpoints of ${named('Services', service)} disagree with its EndpointSlices`,
    message: `${names} ${disagreementWords[how](backends.length)}`,
    hint: `kubectl -n ${service.slice(0, slash)} get endpointslices -l kubernetes.io/service-name=${service.slice(slash + 1)}`,
  };
}

/** One symptom of several objects: what is wrong with all of them. Undefined where the title names no object. */
export function groupTitle(code: string, count: number): string | undefined {
  switch (code) {
    case 'selects-nothing':
      return `${countWords(count, 'Service')} select no Pod`;
    case 'unselected-pod':
      return `No Service selects ${countWords(count, 'Pod')}`;
    case 'crash-loop':
      return `${countWords(count, 'Pod')} are crash-looping`;
    default:
      return undefined;
  }
}
