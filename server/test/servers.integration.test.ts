// Every suite on every server there is: the embedded cluster, the real control planes where they are present,
// and any other that KRTSCOPE_TEST_KUBECONFIG names. One file, so that each server starts once a run.

import {afterAll, beforeAll, describe} from 'vitest';
import {reflectorSuite} from './reflector/suite.ts';
import {
  namedKubeconfig,
  realServers,
  startEmbedded,
  startNamed,
  startReal,
  type TestServer,
} from './servers.ts';

interface Candidate {
  name: string;
  present: boolean;
  start(): Promise<TestServer>;
  suites: ((server: () => TestServer) => void)[];
}

const candidates: Candidate[] = [
  {name: 'embedded', present: true, start: startEmbedded, suites: [reflectorSuite]},
  {
    name: 'Kubernetes v1.36',
    present: realServers !== undefined,
    start: () => startReal('v1.36'),
    suites: [reflectorSuite],
  },
  {
    name: 'Kubernetes v1.20',
    present: realServers !== undefined,
    start: () => startReal('v1.20'),
    suites: [reflectorSuite],
  },
  {name: 'named server', present: namedKubeconfig !== undefined, start: startNamed, suites: [reflectorSuite]},
];

for (const {name, present, start, suites} of candidates) {
  describe.skipIf(!present)(name, () => {
    let server: TestServer | undefined;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server?.stop());
    for (const suite of suites)
      suite(() => {
        if (!server) throw new Error(`${name} did not start`);
        return server;
      });
  });
}
