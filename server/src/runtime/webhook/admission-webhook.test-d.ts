// Types of the admission API. The compiler checks this file; nothing runs it.
import {z} from 'zod';
import {
  type AdmissionWebhook,
  ConfigMap,
  defaulting,
  defineResource,
  Pod,
  type ServeWebhooksOptions,
  validating,
  type WebhookAddress,
} from '../index.ts';

const sites = defineResource({
  group: 'example.com',
  kind: 'Site',
  versions: {v1: {spec: z.object({html: z.string(), replicas: z.int().optional()})}},
});
const Site = sites.kinds.v1;

const webhooks: AdmissionWebhook[] = [
  // Handlers infer the object from the kind, and may be asynchronous.
  validating(Site, {create: ({spec}) => (spec.html.length > 9 ? 'too long' : undefined)}),
  validating(Site, {update: async (object, old) => (object.spec.html === old.spec.html ? undefined : 'no')}),
  validating(Pod, {delete: ({metadata}, {dryRun}) => (dryRun ? metadata.name : undefined)}),
  defaulting(Site, object => ({...object, spec: {...object.spec, replicas: 1}})),
  defaulting(ConfigMap, async object => {
    object.data = {...object.data, added: 'x'};
    return undefined;
  }),
];

// @ts-expect-error A field that the schema does not have.
validating(Site, {create: ({spec}) => spec.htlm});
// @ts-expect-error A handler returns a text or nothing.
validating(Site, {create: () => 5});
// @ts-expect-error There is no such operation.
validating(Site, {connect: () => undefined});
// @ts-expect-error An unknown policy.
validating(Site, {create: () => undefined}, {failurePolicy: 'Maybe'});
// @ts-expect-error The result has the type of the object.
defaulting(Site, object => ({...object, spec: {html: 5}}));

const addresses: WebhookAddress[] = [
  {url: 'https://127.0.0.1:9443'},
  {service: {namespace: 'operators', name: 'sites'}},
  // @ts-expect-error A Service has a name.
  {service: {namespace: 'operators'}},
];

export const options: ServeWebhooksOptions = {
  name: 'sites',
  webhooks,
  conversions: [sites],
  address: addresses[0]!,
};
