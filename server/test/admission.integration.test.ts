// CEL rules and admission webhooks on the embedded server and on 1.36: both must answer alike.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {installDefinitions} from '../src/cluster/install-definitions.ts';
import {resources} from '../src/kube/resource.ts';
import {compiledRules} from './cel/compiled-rules.ts';
import {evaluatedRules, evaluatedSpec} from './cel/evaluated-rules.ts';
import {cheapRules, costlyRules, fieldRules, mistakenRules, syntaxMistakes} from './cel/field-rules.ts';
import {
  changes,
  livingDefinition,
  marked,
  newObjects,
  ratchet,
  ruleMistakes,
  update,
} from './cel/rule-scenarios.ts';
import {
  ask,
  installDefinition,
  pathOf,
  type Reply,
  ruledDefinition,
  ruledObject,
  tryDefinition,
} from './cel/rule-server.ts';
import {realServers, startEmbedded, startReal, type TestServer} from './servers.ts';
import {type ScriptedWebhook, startScriptedWebhook} from './webhooks/scripted-webhook.ts';
import {keeper, observer, reinvocation, webhookScenarios} from './webhooks/webhook-scenarios.ts';
import {
  configMap,
  configurationPath,
  installWebhooks,
  mapPath,
  mapsPath,
  playScenario,
  send,
} from './webhooks/webhook-server-suite.ts';

let embedded: TestServer;
let real: TestServer | undefined;

beforeAll(async () => {
  [embedded, real] = await Promise.all([
    startEmbedded(),
    realServers ? startReal('v1.36', {bare: true}) : undefined,
  ]);
});
afterAll(() => Promise.all([embedded?.stop(), real?.stop()]));

/** Does the same on both servers. Without a real one only the embedded one is exercised. */
async function both<T>(act: (server: TestServer) => Promise<T>): Promise<T> {
  const [ours, theirs] = await Promise.all([act(embedded), real && act(real)]);
  if (real) expect(ours).toEqual(theirs);
  return ours;
}

/** The columns that the errors of a rule name. */
const places = ({code, message}: Reply) => ({code, at: /<input>:\d+:\d+/.exec(message ?? '')?.[0]});

describe('rules of CRDs', () => {
  test.each([...compiledRules, ...fieldRules, ...mistakenRules].map((rule, i) => ({i, rule})))(
    'is checked: $rule',
    async ({i, rule}) => {
      const reply = await both(({client}) => tryDefinition(client, ruledDefinition(`checked${i}s`, [rule])));
      expect([201, 422]).toContain(reply.code);
    },
  );

  test.each(syntaxMistakes.map((rule, i) => ({i, rule})))(
    'that are not CEL are refused where they break: $rule',
    async ({i, rule}) => {
      const reply = await both(async ({client}) =>
        places(await tryDefinition(client, ruledDefinition(`broken${i}s`, [rule]))),
      );
      expect(reply).toEqual({code: 422, at: expect.any(String)});
    },
  );

  test.each([...costlyRules, ...cheapRules])(
    'have a Warning if 1.36 refuses them as too expensive: %s',
    async rule => {
      const definition = ruledDefinition('costs', [rule], schema => {
        const {l, li, m} = schema.properties!.spec!.properties!;
        for (const node of [l, li, m]) {
          delete node!.maxItems;
          delete node!.maxProperties;
        }
      });
      const costly = costlyRules.includes(rule);
      const ours = await tryDefinition(embedded.client, definition);
      expect(ours.code).toBe(201);
      expect(ours.warnings ?? []).toEqual(
        costly ? expect.arrayContaining([expect.stringMatching(/too expensive.* no max(Items|Prop)/)]) : [],
      );
      if (!real) return;
      const theirs = await tryDefinition(real.client, definition);
      expect(theirs.code).toBe(costly ? 422 : 201);
      expect(JSON.stringify(theirs).includes('estimated rule cost exceeds budget')).toBe(costly);
    },
  );

  test('in the style of published CRDs are evaluated', async () => {
    const accepted: string[] = [];
    for (const rule of [...fieldRules, ...mistakenRules]) {
      const {code} = await tryDefinition(embedded.client, ruledDefinition('tries', [rule]));
      if (code === 201) accepted.push(rule);
    }
    // 1.36 limits the cost of all rules of a CRD.
    for (let from = 0; from < accepted.length; from += 12) {
      const plural = `field${from}s`;
      const definition = ruledDefinition(plural, accepted.slice(from, from + 12));
      await both(({client}) => installDefinition(client, definition));
      const object = ruledObject(plural, 'one', evaluatedSpec);
      await both(({client}) => ask(client, {method: 'POST', path: pathOf(plural), body: object}));
    }
  });

  test('are accepted', async () => {
    // All at once: 1.36 serves a new CRD only after a while.
    const made = await both(({client}) =>
      Promise.all(
        Object.entries(evaluatedRules).map(([library, rules]) =>
          installDefinition(client, ruledDefinition(`${library}s`, rules)),
        ),
      ),
    );
    expect(new Set(made.map(({code}) => code))).toEqual(new Set([201]));
  });

  test.each(Object.keys(evaluatedRules))('are evaluated: %s', async library => {
    const reply = await both(({client}) =>
      ask(client, {
        method: 'POST',
        path: pathOf(`${library}s`),
        body: ruledObject(`${library}s`, 'one', evaluatedSpec),
      }),
    );
    expect(reply.code).toBe(422);
  });

  test.each(Object.entries(ruleMistakes))('are refused or not: %s', async (_name, {rules = [], change}) => {
    await both(({client}) => tryDefinition(client, ruledDefinition('mistakes', rules, change)));
  });

  test('hold when objects are created, updated, and their status is', async () => {
    const path = pathOf('livings');
    expect(await both(({client}) => installDefinition(client, livingDefinition))).toEqual({code: 201});
    for (const [i, spec] of newObjects.entries())
      await both(({client}) =>
        ask(client, {method: 'POST', path, body: ruledObject('livings', `a${i}`, spec)}),
      );
    await both(({client}) => ask(client, {method: 'POST', path, body: ruledObject('livings', 'b', {i: 7})}));
    const body = ruledObject('livings', 'alive', {s: 'ok', l: ['x'], lm: [{k: 'a', v: 5}]});
    expect(await both(({client}) => ask(client, {method: 'POST', path, body}))).toEqual({code: 201});
    const codes: [string, number][] = [];
    for (const [name, change, subresource] of changes) {
      const reply = await both(({client}) => update(client, pathOf('livings', 'alive'), change, subresource));
      codes.push([name, reply.code]);
    }
    expect(codes).toEqual([
      ['an immutable field', 422],
      ['a smaller value', 422],
      ['a new item', 200],
      ['a field that may come later', 200],
      ['a field without its immutable one', 200],
      ['a bad status', 422],
      ['a good status', 200],
    ]);
  });

  test('a stricter rule leaves unchanged values alone and warns', async () => {
    const replies = await both(({client}) => ratchet(client));
    expect(replies.map(({code}) => code)).toEqual([201, 200, 422, 200]);
    expect(replies[1]?.warnings).toHaveLength(1);
  });

  test('every rule that marks() makes holds', async () => {
    const path = '/apis/marks.example.com/v1/namespaces/default/markeds';
    const spec = {
      engine: 'mysql',
      size: 2,
      labels: {a: 'b'},
      tags: ['x', 'y'],
      parts: [{name: 'one', count: 1}],
      port: 80,
      window: {from: 1, to: 5},
    };
    const object = (name: string, more: object = {}) => ({
      apiVersion: 'marks.example.com/v1',
      kind: 'Marked',
      metadata: {name},
      spec: {...spec, ...more},
    });
    await both(async ({client}) => installDefinitions(client, [marked]));
    const create = (name: string, more?: object) =>
      both(({client}) => ask(client, {method: 'POST', path, body: object(name, more)}));
    expect(await create('one')).toEqual({code: 201});
    expect(
      (await create('two', {window: {from: 7, to: 30}, port: 'x', parts: [{name: 'a', count: 9}]})).code,
    ).toBe(422);
    const changed = [
      {engine: 'postgres'},
      {size: 3},
      {labels: {a: 'c'}},
      {labels: {}},
      {tags: ['x']},
      {tags: ['y', 'x']},
      {parts: [{name: 'one', count: 4}]},
      {parts: [{name: 'one', count: 5}]},
      {window: {from: 1, to: 4}},
      {window: {from: 6, to: 5}},
      {port: 'http'},
      {port: 8080},
    ];
    const codes: number[] = [];
    for (const more of changed) {
      const reply = await both(({client}) =>
        update(client, `${path}/one`, one => Object.assign(one.spec, more)),
      );
      codes.push(reply.code);
    }
    expect(codes).toEqual([422, 422, 422, 422, 422, 200, 200, 422, 422, 422, 200, 422]);
  });

  test('a syntax that is missing here is named in a warning, and its rule is skipped', async () => {
    const reply = await tryDefinition(embedded.client, ruledDefinition('missings', ['[?self.?s] == ["a"]']));
    expect(reply).toEqual({
      code: 201,
      warnings: [
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: the syntax of optional items, [?a] and {?k: v} is missing in the embedded cluster, so this rule is not evaluated',
      ],
    });
  });
});

describe('admission webhooks', () => {
  let hook: ScriptedWebhook;
  beforeAll(async () => {
    const scripts = Object.fromEntries(
      Object.entries(webhookScenarios).map(([name, {script}]) => [name, script]),
    );
    hook = await startScriptedWebhook({...scripts, ...reinvocation, ...observer, ...keeper});
    expect(await both(server => installWebhooks(server, hook))).toEqual([201, 201, 201, 201]);
  });
  afterAll(() => hook?.stop());

  const asked = (server: TestServer, script: string) => hook.asked(server.name.replaceAll(' ', '-'), script);

  test.each(Object.entries(webhookScenarios))('%s', async (name, {code}) => {
    const [first] = await both(server => playScenario(server, name));
    expect(first?.code).toBe(code);
  });

  test('a webhook is asked again after a later one changed the object', async () => {
    const reply = await both(server => send(server, 'POST', mapsPath, configMap('again', 'again')));
    expect(reply.data).toEqual({a: '1', a1: 'x', a3: 'x', b: 'y'});
  });

  test('a webhook sees the same requests', async () => {
    await both(async server => {
      await send(server, 'POST', mapsPath, configMap('seen', 'observe'));
      await send(server, 'PATCH', mapPath('seen'), {data: {b: '2'}}, {fieldManager: 'me', dryRun: 'All'});
      await send(server, 'DELETE', mapPath('seen'), {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        gracePeriodSeconds: 0,
      });
      return asked(server, 'observe').map(request => maskRequest(request));
    });
    expect(asked(embedded, 'observe').map(({operation}) => operation)).toEqual([
      'CREATE',
      'UPDATE',
      'DELETE',
    ]);
  });

  test('a denied deletion keeps the object, alone and in a collection', async () => {
    await both(server => send(server, 'POST', mapsPath, configMap('kept', 'keep')));
    const one = await both(server => send(server, 'DELETE', mapPath('kept')));
    const all = await both(server =>
      send(server, 'DELETE', mapsPath, undefined, {labelSelector: 'scenario=keep'}),
    );
    expect([one.code, all.code]).toEqual([400, 400]);
    await expect(
      embedded.client.get(resources.ConfigMaps, {namespace: 'default', name: 'kept'}),
    ).resolves.toBeDefined();
  });

  test('an invalid object does not reach the validating webhooks', async () => {
    const reply = await both(server => send(server, 'POST', mapsPath, configMap('Bad_Name', 'deny-plain')));
    expect(reply.code).toBe(422);
  });

  test('wrong configurations are refused', async () => {
    await both(({client}) =>
      ask(client, {method: 'POST', path: configurationPath('validating'), body: wrongConfiguration}),
    );
    await both(({client}) =>
      ask(client, {
        method: 'POST',
        path: configurationPath('mutating'),
        body: {
          ...wrongConfiguration,
          kind: 'MutatingWebhookConfiguration',
          webhooks: [{...wrongConfiguration.webhooks[1], reinvocationPolicy: 'Z'}],
        },
      }),
    );
  });

  test('defaults of a configuration are the same', async () => {
    await both(async ({client}) => {
      const {body} = await client.transport.request<{webhooks: Record<string, unknown>[]}>({
        path: `${configurationPath('mutating')}/a-first`,
      });
      return body.webhooks.map(({clientConfig: _, ...rest}) => rest);
    });
  });
});

/** Without what differs between servers. */
function maskRequest(request: object): unknown {
  const hidden = new Set(['uid', 'userInfo', 'managedFields', 'creationTimestamp', 'resourceVersion']);
  return JSON.parse(JSON.stringify(request, (key, value: unknown) => (hidden.has(key) ? undefined : value)));
}

const wrongConfiguration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: {name: 'wrong'},
  webhooks: [
    {name: 'x', clientConfig: {}},
    {
      name: 'a.example.com',
      sideEffects: 'Some',
      timeoutSeconds: 50,
      admissionReviewVersions: ['v9'],
      clientConfig: {url: 'http://x'},
      failurePolicy: 'X',
      matchPolicy: 'Y',
      rules: [{}],
    },
    {
      name: 'a.example.com',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: {service: {name: 'x', namespace: 'y'}},
      matchConditions: [
        {name: '', expression: 'foo'},
        {name: 'a b', expression: ''},
        {name: 'dup', expression: 'true'},
        {name: 'dup', expression: '1'},
      ],
      rules: [
        {
          apiGroups: ['*', 'x'],
          apiVersions: [''],
          resources: ['*', 'pods'],
          operations: ['*', 'CREATE'],
          scope: 'Z',
        },
      ],
    },
  ],
};
