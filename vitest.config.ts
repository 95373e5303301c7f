import {defineConfig, type TestUserConfig} from 'vitest/config';

// Unit tests share their workers: starting one for each file took longer than all tests together. What a test
// changes in its world is therefore put back after it.
const sharedWorld: TestUserConfig = {
  isolate: false,
  pool: 'threads',
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  // A machine that is busy with other things is slow, not wrong.
  testTimeout: 30_000,
  setupFiles: ['scripts/seed.ts', 'scripts/real-timers.ts'],
};

// Four projects: unit (fast, no network), lockdown (the engine and the formulas in the unchangeable language that
// the engine process runs in), web (the page; a file that needs a DOM says so in its first line),
// integration (processes, sockets, real servers).
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...sharedWorld,
          name: 'unit',
          include: ['shared/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', 'server/src/formula/sandbox/**', 'server/src/engine/lab/**'],
          environment: 'node',
        },
      },
      {
        test: {
          ...sharedWorld,
          name: 'lockdown',
          include: [
            'server/src/{formula/sandbox,engine/lab}/**/*.test.ts',
            'server/src/{krt,graph}/**/*.test.ts',
          ],
          exclude: ['**/*.integration.test.ts'],
          setupFiles: ['scripts/seed.ts', 'scripts/real-timers.ts', 'scripts/lockdown.ts'],
          environment: 'node',
        },
      },
      {
        test: {
          ...sharedWorld,
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'integration',
          include: ['server/**/*.integration.test.ts', 'scripts/**/*.integration.test.ts'],
          environment: 'node',
          setupFiles: ['scripts/seed.ts'],
          // Longer than what they wait for: a wait that is over says what did not come, a test that is over does not.
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // Most of their time is waiting: two at once take little more than half of it.
          maxWorkers: 2,
        },
      },
    ],
  },
});
