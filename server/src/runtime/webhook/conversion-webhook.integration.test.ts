// A manager's conversion webhook over TLS, with a client that trusts only its certificate.

import {request} from 'node:https';
import {expect, test} from 'vitest';
import {z} from 'zod';
import {silentLogger} from '../log/logger.ts';
import {createManager} from '../manager/create-manager.ts';
import {defineResource} from '../resource/define-resource.ts';
import {TestWire} from '../testing-wire.ts';
import {serveConversions} from './conversion-webhook.ts';
import {selfSignedIdentity} from './identity.ts';

const databases = defineResource({
  group: 'example.com',
  kind: 'Database',
  versions: {
    v1alpha1: {spec: z.object({size: z.int()})},
    v1: {spec: z.object({replicas: z.int()}), stored: true},
  },
  hub: 'v1',
  conversions: {
    v1alpha1: {
      toHub: ({spec}) => {
        if (spec.size < 0) throw new TypeError('no such size');
        return {spec: {replicas: spec.size}};
      },
      fromHub: ({spec}) => ({spec: {size: spec.replicas}}),
    },
  },
});

test('converts, says what failed, counts panics, and refuses what is no review', async () => {
  const {key, cert, ca} = await selfSignedIdentity();
  const manager = await createManager({
    transport: new TestWire(),
    log: silentLogger,
    metrics: {bindAddress: '0'},
    report: false,
    webhookServer: {port: 0, host: '127.0.0.1', tls: {key, cert}},
  });
  serveConversions(manager, [databases]);
  expect(() => serveConversions(manager, [{kind: 'Other', converter: undefined}])).toThrow(
    'Other has no conversions',
  );
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await manager.webhookServer.ready();
  const ask = (body: string) =>
    new Promise<{code: number; text: string}>((resolve, reject) => {
      const {webhooks: port} = manager.ports;
      const asked = request(
        {host: '127.0.0.1', port, path: '/convert', method: 'POST', ca, agent: false},
        answer => {
          let text = '';
          answer.on('data', chunk => {
            text += chunk;
          });
          answer.on('end', () => resolve({code: answer.statusCode ?? 0, text}));
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  const convert = async (size: number) => {
    const object = {
      apiVersion: 'example.com/v1alpha1',
      kind: 'Database',
      metadata: {name: 'a'},
      spec: {size},
    };
    const {text} = await ask(
      JSON.stringify({request: {uid: 'u', desiredAPIVersion: 'example.com/v1', objects: [object]}}),
    );
    return JSON.parse(text).response;
  };
  expect((await convert(3)).convertedObjects).toMatchObject([
    {apiVersion: 'example.com/v1', spec: {replicas: 3}},
  ]);
  expect((await convert(-1)).result).toMatchObject({status: 'Failure'});
  expect((await ask('not JSON')).code).toBe(400);
  expect(await manager.metrics.registry.metrics()).toContain(
    'controller_runtime_conversion_webhook_panics_total 1',
  );
  stop.abort();
  await running;
});
