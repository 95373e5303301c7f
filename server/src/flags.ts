// Every flag of krtscope: its type, its help text and its default.

import {isIP} from 'node:net';
import {ATTACH_TARGET_HINT, parseAttachTarget, splitAttachName} from './attach/attach-target.ts';
import {findByWord, shippedCollections} from './cli/get/kubectl-names.ts';
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
  /** Checks each value of a list. Throws UsageError. */
  check?: (name: string, text: string) => string;
}

export const flags: Flag[] = [
  {name: 'demo', type: 'boolean', help: 'start the embedded demo cluster and show it'},
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
    help: 'read only this namespace; repeat for several',
    check: checkNamespaceName,
  },
  {
    name: 'source',
    type: 'list',
    value: 'RESOURCE',
    help: 'read this kind too, named as for kubectl get; repeat for several',
    check: checkResourceName,
  },
  {
    name: 'attach',
    type: 'list',
    value: '[NAME=]TARGET',
    help: 'show another krt program: a URL, pod/NS/NAME:PORT, deploy/NS/NAME:PORT, istiod[.NS] or kgateway; repeatable',
    check: checkAttachTarget,
  },
  {
    name: 'attach-log',
    type: 'list',
    value: 'NAME=FILE',
    help: 'follow the text log of that program, as tail -F does; off to read no Pod log',
    check: checkAttachLog,
  },
  {
    name: 'without',
    type: 'list',
    value: 'KIND',
    help: 'do not read this shipped kind, such as secrets; repeat for several',
    check: checkShippedKind,
  },
  {
    name: 'graph',
    type: 'text',
    value: 'FOLDER',
    help: 'folder of formulas and graph modules (default: in the data directory)',
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
    name: 'allowed-host',
    type: 'list',
    value: 'NAME',
    help: 'a host name by which clients reach krtscope, such as a Service; repeat for several',
    check: checkHostName,
  },
  {
    name: 'public-url',
    type: 'text',
    value: 'URL',
    help: 'the address by which people reach krtscope, such as an Ingress; printed at the start',
  },
  {
    name: 'tls-cert',
    type: 'text',
    value: 'FILE',
    help: 'serve https with this certificate (PEM); read again when it changes',
  },
  {name: 'tls-key', type: 'text', value: 'FILE', help: 'the key of --tls-cert'},
  {
    name: 'auth',
    type: 'text',
    value: 'KIND',
    help: 'who gets in: token (the access token), kubernetes (bearer tokens of the cluster), proxy (headers of --trusted-proxy)',
    default: 'token',
  },
  {
    name: 'trusted-proxy',
    type: 'list',
    value: 'CIDR',
    help: 'with --auth proxy: networks whose X-Forwarded-User and X-Forwarded-Groups are believed',
    check: checkNetwork,
  },
  {
    name: 'token',
    type: 'text',
    value: 'TEXT',
    help: 'access token (default: generated once and stored in the data directory)',
  },
  {
    name: 'data-dir',
    type: 'text',
    value: 'FOLDER',
    help: 'folder of the token, the instances and the demo’s kubeconfig',
  },
  {name: 'open', type: 'boolean', help: 'do not open a browser'},
  {
    name: 'demo-seed',
    type: 'number',
    value: 'N',
    help: 'seed of the demo’s events',
    default: 1,
    min: 0,
    whole: true,
  },
  {
    name: 'demo-pace',
    type: 'number',
    value: 'X',
    help: 'speed of the demo; 0 pauses it',
    default: 1,
    min: 0,
    max: 100,
  },
  {
    name: 'demo-pods',
    type: 'number',
    value: 'N',
    help: 'number of Pods in the demo’s shop',
    min: 1,
    max: 1_000_000,
    whole: true,
  },
  {
    name: 'history-runs',
    type: 'number',
    value: 'N',
    help: 'most runs in the recording',
    default: 50_000,
    min: 1,
    whole: true,
  },
  {
    name: 'history-mb',
    type: 'number',
    value: 'MB',
    help: 'size limit of the recording',
    default: 64,
    min: 1,
    whole: true,
  },
  {
    name: 'history-dir',
    type: 'text',
    value: 'FOLDER',
    help: 'folder of the history on disk (default: history in the data directory)',
  },
  {
    name: 'history-days',
    type: 'number',
    value: 'N',
    help: 'days of history on disk',
    default: 7,
    min: 0.01,
    max: 3650,
  },
  {
    name: 'history-disk',
    type: 'number',
    value: 'GB',
    help: 'size limit of the history on disk; 0 keeps nothing on disk',
    default: 4,
    min: 0,
    max: 100_000,
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
  {
    name: 'redact',
    type: 'text',
    value: 'FILE',
    help: 'a policy (YAML) that hides more than secrets: names, fields, patterns; docs/redaction.md',
  },
  {name: 'show-secrets', type: 'boolean', help: 'do not redact Secrets, tokens and passwords'},
  {
    name: 'cluster-formulas',
    type: 'boolean',
    help: 'also run formulas from the cluster (formulas.krtscope.dev; krtscope crd prints its CRD)',
  },
  {
    name: 'allow-writes',
    type: 'boolean',
    help: 'write to the cluster: the status of its formulas, and the objects of apply controllers',
  },
];

/** The flag as typed. */
export const flagText = (flag: Flag) => (flag.name === 'open' ? '--no-open' : `--${flag.name}`);

function checkAttachTarget(name: string, text: string): string {
  try {
    parseAttachTarget(splitAttachName(text).rest);
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}; ${ATTACH_TARGET_HINT}`);
  }
  return text;
}

function checkAttachLog(name: string, text: string): string {
  if (splitAttachName(text).name !== undefined) return text;
  throw new UsageError(`${name} is "${text}"; write NAME=FILE, with the NAME of an --attach`);
}

function checkResourceName(name: string, text: string): string {
  if (/^[A-Za-z][\w-]*(\.[\w-]+)*$/.test(text)) return text;
  throw new UsageError(
    `${name} is "${text}"; name a resource as for kubectl get: gateways, or gateways.gateway.networking.k8s.io`,
  );
}

// The API server answers an invalid namespace with an empty list, and the page would be empty without a reason.
function checkNamespaceName(name: string, text: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new UsageError(
    `${name} is "${text}", which is not a valid namespace name; repeat the flag for several`,
  );
}

/** Returns the name of the collection. */
function checkShippedKind(name: string, text: string): string {
  const found = findByWord(shippedCollections, text);
  if (found !== undefined) return found.name;
  const names = shippedCollections.map(one => one.resource?.resource).join(', ');
  throw new UsageError(`${name} is "${text}"; give one of ${names}`);
}

function checkHostName(name: string, text: string): string {
  if (/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)) return text.toLowerCase();
  throw new UsageError(
    `${name} is "${text}"; give a host name without scheme and port, such as krtscope.ops.svc`,
  );
}

function checkNetwork(name: string, text: string): string {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family !== 0 && Number(prefix ?? 0) <= (family === 4 ? 32 : 128)) return text;
  throw new UsageError(`${name} is "${text}"; give an address or a network, such as 10.0.0.0/8`);
}
