import {defineConfig} from '@playwright/test';
import {findBrowser} from './web/e2e/helpers/browser.ts';

// What a person does, in a real Chromium: the system's, or the one that came with npm.
const {executablePath, args} = await findBrowser();

export default defineConfig({
  testDir: 'web/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: false,
  workers: 2,
  // A machine that is shared may stand still for longer than a test takes.
  timeout: 120_000,
  // The first answer of a cold server on two busy cores took 14 s.
  expect: {timeout: 30_000},
  // npm test names what needed it. What fails again runs once more at the end, alone.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  outputDir: 'test-results',
  use: {
    viewport: {width: 1440, height: 900},
    colorScheme: 'dark',
    trace: 'off',
    launchOptions: {executablePath, args},
  },
});
