// What redaction costs main for one Pod, beside parsing it, and its share of a core at 1,000 changes a second.
import {makeRedactor} from '../src/redact/redactor.ts';
import {worked} from './support/measure.ts';
import type {Bench} from './support/result-row.ts';

const ROUNDS = 8;
const PODS = 2000;
/** A Pod as an API server sends it, without managedFields of every controller. */
const POD = JSON.stringify({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'cart-54946dc66f-4lxts',
    namespace: 'shop',
    uid: '7f6c1a2e-1111-4222-8333-0123456789ab',
    resourceVersion: '123456',
    labels: {app: 'cart', 'pod-template-hash': '54946dc66f', 'app.kubernetes.io/name': 'cart'},
    annotations: {'prometheus.io/scrape': 'true', 'checksum/config': 'a'.repeat(64)},
    ownerReferences: [{apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'cart-54946dc66f', controller: true}],
  },
  spec: {
    containers: [
      {
        name: 'cart',
        image: 'registry.example.com/shop/cart:v1.4.2',
        args: ['--port=8080', '--log-level=info', '--upstream=http://catalog.shop.svc:8080'],
        env: [
          {name: 'LOG_LEVEL', value: 'info'},
          {name: 'REDIS_HOST', value: 'redis.data.svc.cluster.local'},
          {name: 'DB_PASSWORD', valueFrom: {secretKeyRef: {name: 'db', key: 'password'}}},
          {name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://otel-collector.observability:4317'},
        ],
        resources: {limits: {cpu: '500m', memory: '256Mi'}, requests: {cpu: '100m', memory: '128Mi'}},
        livenessProbe: {httpGet: {path: '/healthz', port: 'http', scheme: 'HTTP'}, timeoutSeconds: 1},
      },
    ],
    nodeName: 'node-1',
    tolerations: [{key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute'}],
  },
  status: {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(type => ({
      type,
      status: 'True',
      lastTransitionTime: '2026-11-18T00:00:05Z',
    })),
    podIP: '10.244.1.7',
    containerStatuses: [{name: 'cart', ready: true, restartCount: 0, imageID: `sha256:${'a'.repeat(64)}`}],
  },
});

/** Milliseconds of CPU for one Pod, the least of some rounds. */
function perPod(op: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = worked();
    for (let i = 0; i < PODS; i++) op();
    best = Math.min(best, (worked() - start) / PODS);
  }
  return best;
}

const bench: Bench = {
  name: 'redaction',
  async run() {
    const redact = makeRedactor();
    // Each is another Pod, as names and times in its texts differ; its template is the same.
    let made = 0;
    const next = () => POD.replaceAll('4lxts', (made++).toString(36).padStart(5, 'x'));
    const parse = perPod(() => void JSON.parse(next()));
    const both = perPod(() => void redact(JSON.parse(next())));
    const cost = both - parse;
    const share = cost * 100;
    return [
      {
        name: 'redaction of one Pod',
        value: cost * 1000,
        unit: 'us',
        goals: [
          {text: `${share.toFixed(1)} % of a core at 1,000 changes a second, at most 10`, holds: share <= 10},
          {text: `${(cost / parse).toFixed(1)} times the parsing of it`, holds: cost / parse <= 6},
        ],
      },
    ];
  },
};
export default bench;
