// Installs the webhooks of all scenarios on a server and plays them.
import {sleep} from '../../src/kube/clock.ts';
import {ask, type Reply} from '../cel/rule-server.ts';
import type {TestServer} from '../servers.ts';
import type {ScriptedWebhook} from './scripted-webhook.ts';
import {keeper, observer, reinvocation, webhookScenarios} from './webhook-scenarios.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const LABEL = 'scenario';

export const configurationPath = (kind: 'validating' | 'mutating') => `${GROUP}/${kind}webhookconfigurations`;

type Webhook = Record<string, unknown>;

function webhookOf(hook: ScriptedWebhook, server: string, name: string, more: Webhook = {}): Webhook {
  const {url, scope = '*', ...rest} = more;
  return {
    name: `${name}.example.com`,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: {
      url: url === '{dead}' ? 'https://127.0.0.1:1/x' : hook.url(server, name),
      caBundle: hook.ca,
    },
    rules: [{apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'], scope}],
    objectSelector: {matchLabels: {[LABEL]: name.startsWith('a-') || name.startsWith('b-') ? 'again' : name}},
    ...rest,
  };
}

function configuration(kind: 'Validating' | 'Mutating', name: string, webhooks: Webhook[]): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: {name},
    webhooks,
  };
}

export const configMap = (
  name: string,
  scenario: string,
  data: Record<string, string> = {a: '1'},
): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, labels: {[LABEL]: scenario}},
  data,
});

export async function installWebhooks({client, name}: TestServer, hook: ScriptedWebhook): Promise<number[]> {
  const server = name.replaceAll(' ', '-');
  const make = ([scenario, {webhook}]: [string, {webhook?: Webhook}]) =>
    webhookOf(hook, server, scenario, webhook);
  const all = Object.entries(webhookScenarios);
  const validating = [
    ...all.filter(([, one]) => !one.mutating).map(make),
    ...[...Object.keys(observer), ...Object.keys(keeper)].map(one => webhookOf(hook, server, one)),
  ];
  const mutating = all.filter(([, one]) => one.mutating).map(make);
  const [again, once] = Object.keys(reinvocation).map(one =>
    webhookOf(hook, server, one, one.startsWith('a') ? {reinvocationPolicy: 'IfNeeded'} : {}),
  );
  const replies = [
    await ask(client, {
      method: 'POST',
      path: configurationPath('validating'),
      body: configuration('Validating', 'scenarios', validating),
    }),
    // The names decide the order, not the time of creation.
    await ask(client, {
      method: 'POST',
      path: configurationPath('mutating'),
      body: configuration('Mutating', 'z-second', [once!]),
    }),
    await ask(client, {
      method: 'POST',
      path: configurationPath('mutating'),
      body: configuration('Mutating', 'a-first', [again!]),
    }),
    await ask(client, {
      method: 'POST',
      path: configurationPath('mutating'),
      body: configuration('Mutating', 'scenarios', mutating),
    }),
  ];
  // 1.36 notices new configurations after a while.
  for (const scenario of ['deny-plain', 'mutating-denies', 'again'])
    for (;;) {
      const reply = await send({client, name}, 'POST', MAPS, configMap(`wait-${scenario}`, scenario), {
        dryRun: 'All',
      });
      if (reply.code === 400 || Object.keys((reply.data as object) ?? {}).length === 4) break;
      await sleep(client.transport.clock, 50);
    }
  return replies.map(({code}) => code);
}

export type Answered = Reply & {data?: unknown};

/** The answer, with the data of the object, and without ports and random ids. */
export async function send(
  {client}: Pick<TestServer, 'client' | 'name'>,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  query: Record<string, string> = {},
): Promise<Answered> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const kept: {data?: unknown} = {};
  const reply = await ask(
    {
      ...client,
      transport: {
        ...client.transport,
        request: async (options: Parameters<typeof client.transport.request>[0]) => {
          const answer = await client.transport.request<{data?: unknown}>(options);
          kept.data = answer.body?.data;
          return answer;
        },
      },
    } as unknown as typeof client,
    {method, path, body, query, contentType},
  );
  return JSON.parse(
    JSON.stringify({...reply, ...kept})
      .replaceAll(/response\.uid=\\+"[0-9a-f-]+\\+"/g, 'response.uid=<uid>')
      .replaceAll(/127\.0\.0\.1:\d{2,5}\/[\w.-]+\//g, '<webhook>/'),
  ) as Answered;
}

/** Creates the ConfigMaps of a scenario. */
export async function playScenario(server: TestServer, scenario: string): Promise<Answered[]> {
  const {data = [{a: '1'}]} = webhookScenarios[scenario]!;
  const replies: Answered[] = [];
  for (const [i, one] of data.entries())
    replies.push(await send(server, 'POST', MAPS, configMap(`${scenario}-${i}`, scenario, one)));
  return replies;
}

export const mapPath = (name: string): string => `${MAPS}/${name}`;
export const mapsPath = MAPS;
