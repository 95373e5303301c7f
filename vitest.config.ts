import {defineConfig, type TestUserConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

// Unit tests share their workers, because starting one for each file takes longer than all tests together. Changes
// that a test makes to its globals are therefore undone after it.
const sharedWorkers: TestUserConfig = {
  isolate: false,
  pool: 'threads',
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  // Long enough for a busy machine.
  testTimeout: 30_000,
  setupFiles: ['scripts/seed.ts', 'scripts/real-timers.ts'],
};

// Tests of what runs in the engine process: they run once, in the unchangeable language of that process.
const lockedDown = ['server/src/{krt,graph,formula/sandbox,engine/lab}/**/*.test.ts'];

/**
 * A real istiod, live: `npm run istiod`. A change that istiod answers with a status of its own is still named wrongly
 * now and then.
 */
const liveIstiod = ['server/test/istiod/**'];

/** The longest files of the integration tests, longest first. */
const slowFiles = [
  'server/test/servers.integration.test.ts',
  'scripts/package/init.integration.test.ts',
  'server/src/start/start.integration.test.ts',
  'server/test/weather.integration.test.ts',
  'scripts/package/guide.integration.test.ts',
  'server/src/engine/commands.integration.test.ts',
  'scripts/package/package.integration.test.ts',
];

/** Starts the slow files first, so that one worker does not finish alone. A first run has no durations to sort by. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({moduleId}: TestSpecification): number => {
      const index = slowFiles.findIndex(file => moduleId.endsWith(file));
      return index < 0 ? slowFiles.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// Four projects: unit (fast, no network), lockdown (krt, graph and formulas under lockdown), web (the page; a file that
// needs a DOM says so in its first line), integration (processes, sockets, real servers).
export default defineConfig({
  test: {
    sequence: {sequencer: SlowFilesFirst},
    projects: [
      {
        test: {
          ...sharedWorkers,
          name: 'unit',
          include: ['shared/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', ...lockedDown],
          environment: 'node',
        },
      },
      {
        test: {
          ...sharedWorkers,
          name: 'lockdown',
          include: lockedDown,
          exclude: ['**/*.integration.test.ts'],
          setupFiles: ['scripts/seed.ts', 'scripts/real-timers.ts', 'scripts/lockdown.ts'],
          environment: 'node',
        },
      },
      {
        test: {
          ...sharedWorkers,
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'integration',
          include: ['server/**/*.integration.test.ts', 'scripts/**/*.integration.test.ts'],
          exclude: ['**/node_modules/**', ...(process.env.KRTSCOPE_ISTIOD ? [] : liveIstiod)],
          environment: 'node',
          setupFiles: ['scripts/seed.ts'],
          // Longer than any wait inside a test: a wait that ends says what did not come.
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // These tests mostly wait, so two at once take little more than half the time.
          maxWorkers: 2,
        },
      },
    ],
  },
});
