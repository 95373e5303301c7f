// Start options for tests of the host: a process that takes over, with a small history.
import type {StartOptions} from '../link/host-messages.ts';

export const startOptions: StartOptions = {
  name: 'test',
  recording: 'r',
  firstSequence: 7,
  historyRuns: 1000,
  historyMb: 8,
  redacted: true,
  sources: [],
  resumes: true,
};
