// Every suite on every server there is: the embedded cluster, the real control planes where they are present,
// and any other that KRTSCOPE_TEST_KUBECONFIG names. One file, so that each server starts once a run.

import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {cases} from './api/cases.ts';
import {controllerBehaviour} from './api/controller-behaviour.ts';
import {readBehaviour} from './api/read-behaviour.ts';
import {type Transcript, transcriptSuite} from './api/transcript.ts';
import {kubectlSuite} from './kubectl/suite.ts';
import {stateSuite} from './reflector/states.ts';
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

const transcripts = {
  embedded: new Map() as Transcript,
  real: new Map() as Transcript,
  named: new Map() as Transcript,
};

function apiSuite(transcript: Transcript, simulates = true): (server: () => TestServer) => void {
  return server => {
    transcriptSuite(server, cases, transcript);
    describe('behaviour', () => {
      readBehaviour(server, simulates);
      controllerBehaviour(server, simulates);
    });
  };
}

const real = realServers !== undefined;
const reflector = [reflectorSuite, stateSuite];

const candidates: Candidate[] = [
  {
    name: 'embedded',
    present: true,
    start: startEmbedded,
    suites: [...reflector, apiSuite(transcripts.embedded), kubectlSuite('1.36'), kubectlSuite('1.32')],
  },
  {
    name: 'Kubernetes v1.36',
    present: real,
    start: () => startReal('v1.36'),
    suites: [...reflector, apiSuite(transcripts.real), kubectlSuite('1.36')],
  },
  {name: 'Kubernetes v1.20', present: real, start: () => startReal('v1.20'), suites: reflector},
];

// Only when a person names one: a server that nobody asked for is not worth a skipped test.
if (namedKubeconfig !== undefined)
  candidates.push({
    name: 'named server',
    present: true,
    start: startNamed,
    suites: [reflectorSuite, apiSuite(transcripts.named, false)],
  });

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

describe.skipIf(!real)('the embedded cluster answers word for word as Kubernetes v1.36', () => {
  const titles = Object.entries(cases).flatMap(([title, list]) => list.map(one => `${title}: ${one.name}`));
  test.each(titles)('%s', title => {
    expect(transcripts.real.has(title)).toBe(true);
    expect(transcripts.embedded.get(title)).toEqual(transcripts.real.get(title));
  });
});
