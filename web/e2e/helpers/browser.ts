// The browser for tests, benchmarks and screenshots: a system Chromium if there is one, else the one inside npm.
import {accessSync, constants, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const flags = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser's path and flags. Unpacks the bundled browser the first time (about four seconds). */
export async function findBrowser(): Promise<{executablePath: string; args: string[]}> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!canRun(given)) throw new Error(`CHROMIUM_PATH is ${given}, which cannot be run`);
    return {executablePath: given, args: flags};
  }
  const system = usualPaths.find(canRun);
  if (system !== undefined) return {executablePath: system, args: flags};
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'the browser tests need Chromium or Chrome here: install one, or set CHROMIUM_PATH to it',
    );
  }
  return {executablePath: await unpackBundledBrowser(), args: flags};
}

// The package's font folders do not exist here. Without any font the page's own fonts are not drawn either, and
// every text has no width.
function writeFontConfig(folder: string): void {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  const file = join(folder, 'fonts', 'fonts.conf');
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map(one => `  <dir>${one}</dir>`).join('\n')}
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
  if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  process.env.FONTCONFIG_FILE = file;
}

async function unpackBundledBrowser(): Promise<string> {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const described = readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const {version} = JSON.parse(described) as {version: string};
  // The package takes any file called chromium in the temporary folder, even of another version or user.
  const folder = join(root, 'node_modules', '.cache', `chromium-${version}`);
  mkdirSync(folder, {recursive: true});
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  try {
    const {default: chromium} = await import('@sparticuz/chromium');
    const path = await chromium.executablePath();
    writeFontConfig(folder);
    return path;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
