// For tests: krtz documents. Uses istiod's real ones if the shared folder exists, and small ones with the same
// oddities.
import {existsSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';

export interface WrittenCollection {
  name: string;
  uid: number;
  state: {
    inputCollection?: string;
    inputs?: Record<string, {dependencies?: string[]; outputs?: string[]}>;
    outputs?: Record<string, unknown>;
    synced: boolean;
  };
}

/** The same program at three moments. */
export interface DocumentMoments {
  who: string;
  start: WrittenCollection[];
  shop: WrittenCollection[];
  after: WrittenCollection[];
  /** A computed row that changes from shop to after. */
  changed: {collection: string; key: string};
}

const folder = fileURLToPath(new URL('../../../../shared/istio/krtz/', import.meta.url));
const real = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(`${folder}${name}.json.gz`)).toString()) as WrittenCollection[];

export const istiod: DocumentMoments | undefined = existsSync(folder)
  ? {
      who: 'istiod',
      start: real('start'),
      shop: real('shop'),
      after: real('after'),
      changed: {collection: 'ambient/PodWorkloads', key: 'Kubernetes//Pod/bank/pay-674dcc4674-h8rv9'},
    }
  : undefined;

const pod = (name: string, labels: Record<string, string>) => ({
  metadata: {name, namespace: 'bank', labels},
  spec: {containers: [{env: [{name: 'DB_PASSWORD', value: 'hunter2'}]}]},
});

interface SmallDocumentOptions {
  pods?: Record<string, Record<string, string>>;
  zone?: string;
}

/**
 * Two collections with one name, a singleton that names itself, a join that is named but absent, an index without a
 * name.
 */
export function small({pods = {}, zone = 'a'}: SmallDocumentOptions = {}): WrittenCollection[] {
  const keys = Object.keys(pods);
  return [
    {name: 'File', uid: 2, state: {outputs: {static: 0}, synced: true}},
    {
      name: 'File',
      uid: 4,
      state: {
        inputCollection: 'File',
        inputs: {'': {dependencies: ['File'], outputs: [`zone: ${zone}\n`]}},
        outputs: {[`zone: ${zone}\n`]: `zone: ${zone}\n`},
        synced: true,
      },
    },
    {
      name: 'Zone',
      uid: 5,
      state: {
        inputCollection: 'Zone',
        inputs: {'': {dependencies: ['File', 'File'], outputs: ['Zone']}},
        outputs: {Zone: {Name: zone}},
        synced: true,
      },
    },
    {
      name: 'informer/Pods',
      uid: 9,
      state: {
        outputs: Object.fromEntries(keys.map(key => [key, pod(key.slice(5), pods[key] as never)])),
        synced: true,
      },
    },
    {
      name: 'Workloads',
      uid: 12,
      state: {
        inputCollection: 'informer/Pods',
        inputs: Object.fromEntries(
          keys.map(key => [
            key,
            {dependencies: ['Zone', 'aggregate/Services', 'aggregate/Services'], outputs: [`w/${key}`]},
          ]),
        ),
        outputs: Object.fromEntries(
          keys.map(key => [`w/${key}`, {Name: key, Zone: zone, Labels: pods[key]}]),
        ),
        synced: true,
      },
    },
    {name: 'index/', uid: 13, state: {inputCollection: 'Workloads', synced: true}},
  ];
}

export const ownDocuments: DocumentMoments = {
  who: 'small',
  start: small(),
  shop: small({pods: {'bank/p1': {app: 'pay'}, 'bank/p2': {app: 'pay'}}}),
  after: small({pods: {'bank/p1': {app: 'payments'}}}),
  changed: {collection: 'Workloads', key: 'w/bank/p1'},
};
