// The cluster over its own wire: what a client sees first.
import {request} from 'node:https';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Cluster, startCluster} from './start.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0});
});

afterAll(() => cluster.stop());

function get(path: string, token = cluster.token): Promise<{code: number; body: Record<string, unknown>}> {
  return new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`};
    request(cluster.url + path, {headers, ca: cluster.ca}, res => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', chunk => {
        text += chunk;
      });
      res.on('end', () =>
        resolve({code: res.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown>}),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('the shop is there from the first request, with a certificate that the CA vouches for', async () => {
  const {code, body} = await get('/api/v1/pods');
  expect(code).toBe(200);
  expect(body.items).toHaveLength(41);
});

test('a wrong token gets 401 as a Status', async () => {
  const {code, body} = await get('/api/v1/pods', 'wrong');
  expect([code, body.kind, body.reason]).toEqual([401, 'Status', 'Unauthorized']);
});
