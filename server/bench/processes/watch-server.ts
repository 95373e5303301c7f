// An API server for benchmarks, in a process of its own: it serves the lists of a recorded cluster, and watch events that
// are put together from prepared text, so that making them costs little. Started by support/prepared-cluster.ts.
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {startCluster} from '../../src/cluster/start.ts';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {apiVersionOf, fromWireResource, type Resource, resourcePath} from '../../src/kube/resource.ts';
import {type EventOrder, eventOrder, labelEvent} from '../support/label-event.ts';

export type ToWatchServer =
  | {type: 'record'; pods: number}
  | ({type: 'play'} & EventOrder)
  | {type: 'read'; key: string};

export type FromWatchServer =
  | {type: 'recorded'; port: number}
  /** Event `n`, of a Pod that a page shows, was written at this time since 1970. */
  | {type: 'written'; n: number; at: number}
  | {type: 'played'; milliseconds: number; last: Record<string, number>}
  | {type: 'object'; text: string};

/** The recorded objects of one kind as JSON, without kind and apiVersion, as lists have them. */
interface RecordedKind {
  readonly resource: Resource;
  readonly keys: string[];
  readonly texts: string[];
  readonly watches: Set<ServerResponse>;
}

const PAGE = 500;
/** Milliseconds between two looks for events that are due. */
const STEP_MS = 1;

const kinds = new Map<string, RecordedKind>();
let version = 0;

function tell(message: FromWatchServer): void {
  process.send?.(message, () => {});
}

async function record(pods: number): Promise<void> {
  const cluster = await startCluster({pods, pace: 0});
  const client = new DynamicClient(cluster.wire);
  for (const wireResource of Object.values(shippedSources)) {
    const resource = fromWireResource(wireResource);
    const kind: RecordedKind = {resource, keys: [], texts: [], watches: new Set()};
    let next: string | undefined;
    do {
      const page = await client.list(resource, {limit: PAGE, continue: next});
      for (const {kind: _, apiVersion: __, ...object} of page.items) {
        kind.keys.push([object.metadata.namespace, object.metadata.name].filter(Boolean).join('/'));
        kind.texts.push(JSON.stringify(object));
      }
      version = Math.max(version, Number(page.metadata?.resourceVersion));
      next = page.metadata?.continue || undefined;
    } while (next !== undefined);
    kinds.set(resourcePath(resource), kind);
  }
  await cluster.stop();
}

const typed = ({resource}: RecordedKind, text: string): string =>
  `{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",${text.slice(1)}`;

const isWatch = (query: URLSearchParams): boolean => query.get('watch') === 'true';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const {pathname, searchParams: query} = new URL(request.url ?? '/', 'http://127.0.0.1');
  const kind = kinds.get(pathname);
  response.setHeader('content-type', 'application/json');
  if (pathname === '/version') response.end('{"major":"1","minor":"36","gitVersion":"v1.36.0"}');
  else if (kind !== undefined && isWatch(query)) void watch(kind, query, response);
  else if (kind !== undefined) list(kind, query, response);
  else if (pathname === '/api/v1/namespaces/kube-system') {
    const home = kinds.get('/api/v1/namespaces');
    response.end(home?.texts[home.keys.indexOf('kube-system')]);
  } else {
    response.statusCode = 404;
    response.end('{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}');
  }
}

function list(kind: RecordedKind, query: URLSearchParams, response: ServerResponse): void {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(from + Number(query.get('limit') || kind.texts.length), kind.texts.length);
  const rest = kind.texts.length - to;
  const metadata = {
    resourceVersion: String(version),
    ...(rest > 0 ? {continue: String(to), remainingItemCount: rest} : {}),
  };
  const head = {kind: `${kind.resource.kind}List`, apiVersion: apiVersionOf(kind.resource), metadata};
  response.end(`${JSON.stringify(head).slice(0, -1)},"items":[${kind.texts.slice(from, to).join(',')}]}`);
}

/** A watch without initial events begins now: nothing is played before all watches are open. */
async function watch(kind: RecordedKind, query: URLSearchParams, response: ServerResponse): Promise<void> {
  response.flushHeaders();
  response.on('close', () => kind.watches.delete(response));
  if (query.get('sendInitialEvents') === 'true') {
    for (let from = 0; from < kind.texts.length; from += PAGE) {
      const lines = kind.texts.slice(from, from + PAGE).map(text => eventLine('ADDED', typed(kind, text)));
      if (!response.write(lines.join(''))) await new Promise(resolve => response.once('drain', resolve));
    }
    const bookmark: KubeObject = {
      metadata: {
        resourceVersion: String(version),
        annotations: {'k8s.io/initial-events-end': 'true'},
      } as KubeObject['metadata'],
    };
    response.write(eventLine('BOOKMARK', typed(kind, JSON.stringify(bookmark))));
  }
  kind.watches.add(response);
}

const eventLine = (type: string, object: string): string => `{"type":"${type}","object":${object}}\n`;

/** Writes events at a steady rate. */
function play(order: EventOrder): void {
  const pods = kinds.get('/api/v1/pods') as RecordedKind;
  const places = new Map(pods.keys.map((key, place) => [key, place]));
  const nextKey = eventOrder(order, pods.keys);
  const last: Record<string, number> = {};
  const began = performance.now();
  let n = 0;
  const step = () => {
    const due = Math.min(order.count, Math.floor(((performance.now() - began) / 1000) * order.rate));
    let lines = '';
    for (; n < due; n++) {
      const {key, isShown} = nextKey(n);
      const place = places.get(key) as number;
      version += 1;
      const text = labelEvent(pods.texts[place] as string, {label: `tick-${order.first + n}`, version});
      pods.texts[place] = text;
      last[key] = order.first + n;
      lines += eventLine('MODIFIED', typed(pods, text));
      if (isShown)
        tell({type: 'written', n: order.first + n, at: performance.timeOrigin + performance.now()});
    }
    if (lines !== '') for (const response of pods.watches) response.write(lines);
    if (n < order.count) setTimeout(step, STEP_MS);
    else tell({type: 'played', milliseconds: performance.now() - began, last});
  };
  step();
}

const server = createServer(answer);
process.on('message', async (message: ToWatchServer) => {
  if (message.type === 'play') play(message);
  else if (message.type === 'read') {
    const pods = kinds.get('/api/v1/pods') as RecordedKind;
    tell({type: 'object', text: typed(pods, pods.texts[pods.keys.indexOf(message.key)] as string)});
  } else {
    await record(message.pods);
    server.listen(0, '127.0.0.1', () => {
      tell({type: 'recorded', port: (server.address() as AddressInfo).port});
    });
  }
});
process.on('disconnect', () => process.exit(0));
