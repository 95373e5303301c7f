// Every flag of krtscope: what it takes, what it means, what it is when nobody gives it.
import {UsageError} from './usage-error.ts';

export interface Flag {
  name: string;
  type: 'boolean' | 'text' | 'list' | 'number';
  value?: string;
  help: string;
  default?: string | number;
  min?: number;
  max?: number;
  whole?: boolean;
  /** What each of a list has to be; throws UsageError. */
  check?: (name: string, text: string) => string;
}

export const flags: Flag[] = [
  {name: 'demo', type: 'boolean', help: 'start the embedded cluster and look at that'},
  {
    name: 'kubeconfig',
    type: 'text',
    value: 'FILE',
    help: 'the kubeconfig to read (as kubectl: KUBECONFIG, ~/.kube/config)',
  },
  {name: 'context', type: 'text', value: 'NAME', help: 'the context in it (default: its current one)'},
  {
    name: 'namespace',
    type: 'list',
    value: 'NAME',
    help: 'look at this namespace only; repeat for several',
    check: checkNamespaceName,
  },
  {
    name: 'source',
    type: 'list',
    value: 'RESOURCE',
    help: 'read this kind too, named as kubectl takes it; repeat for several',
    check: checkResourceName,
  },
  {
    name: 'graph',
    type: 'text',
    value: 'FOLDER',
    help: 'where formulas and graph modules are kept (default: in the data directory)',
  },
  {name: 'host', type: 'text', value: 'ADDRESS', help: 'address to listen on', default: '127.0.0.1'},
  {
    name: 'port',
    type: 'number',
    value: 'N',
    help: 'port to listen on; 0 picks a free one',
    default: 7070,
    min: 0,
    max: 65535,
    whole: true,
  },
  {
    name: 'token',
    type: 'text',
    value: 'TEXT',
    help: 'access token (default: made once, kept in the data directory)',
  },
  {
    name: 'data-dir',
    type: 'text',
    value: 'FOLDER',
    help: 'where token, instances and the demo’s kubeconfig are kept',
  },
  {name: 'open', type: 'boolean', help: 'do not open a browser'},
  {
    name: 'demo-seed',
    type: 'number',
    value: 'N',
    help: 'what happens in the demo, repeatably',
    default: 1,
    min: 0,
    whole: true,
  },
  {
    name: 'demo-pace',
    type: 'number',
    value: 'X',
    help: 'how fast the demo lives; 0 is paused',
    default: 1,
    min: 0,
    max: 100,
  },
  {
    name: 'demo-pods',
    type: 'number',
    value: 'N',
    help: 'grow the demo’s shop to so many Pods',
    min: 1,
    max: 1_000_000,
    whole: true,
  },
  {
    name: 'history-runs',
    type: 'number',
    value: 'N',
    help: 'runs that the recording keeps',
    default: 50_000,
    min: 1,
    whole: true,
  },
  {
    name: 'history-mb',
    type: 'number',
    value: 'MB',
    help: 'size that the recording keeps to',
    default: 64,
    min: 1,
    whole: true,
  },
  {
    name: 'engine-memory',
    type: 'number',
    value: 'MB',
    help: 'heap limit of the engine process',
    default: 4096,
    min: 64,
    whole: true,
  },
  {name: 'show-secrets', type: 'boolean', help: 'do not redact Secrets, tokens and passwords'},
  {
    name: 'cluster-formulas',
    type: 'boolean',
    help: 'take formulas from the cluster, too (formulas.krtscope.dev; krtscope crd prints its CRD)',
  },
  {
    name: 'allow-writes',
    type: 'boolean',
    help: 'write to the cluster: the status of its formulas, and what apply controllers keep',
  },
];

/** As a person types it. */
export const flagText = (flag: Flag) => (flag.name === 'open' ? '--no-open' : `--${flag.name}`);

function checkResourceName(name: string, text: string): string {
  if (/^[A-Za-z][\w-]*(\.[\w-]+)*$/.test(text)) return text;
  throw new UsageError(
    `${name} is "${text}"; name a resource as for kubectl get: gateways, or gateways.gateway.networking.k8s.io`,
  );
}

// The server would answer with an empty list for a name that cannot be one, and the page would be empty without a word.
function checkNamespaceName(name: string, text: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new UsageError(`${name} is "${text}", which is no name of a namespace; repeat the flag for several`);
}
