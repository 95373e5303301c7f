// The suites of runtime/ on the embedded cluster and, where it is present, on the real 1.36.

import {afterAll, beforeAll, describe} from 'vitest';
import {realServers, startEmbedded, startReal, type TestServer} from '../servers.ts';
import {clientSuite} from './client-suite.ts';
import {resourceSuite} from './resource-suite.ts';

const candidates: {name: string; present: boolean; start(): Promise<TestServer>}[] = [
  {name: 'embedded', present: true, start: startEmbedded},
  {name: 'Kubernetes v1.36', present: realServers !== undefined, start: () => startReal('v1.36')},
];

for (const candidate of candidates.filter(one => one.present)) {
  describe(candidate.name, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await candidate.start();
    });
    afterAll(() => server?.stop());
    clientSuite(() => server);
    resourceSuite(() => server);
  });
}
