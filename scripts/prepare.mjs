// npm runs this at the end of npm ci. It builds the page, so that the first start does not have to. It never
// fails an installation: a start builds the page itself where this script did not.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const build = fileURLToPath(new URL('./build.mjs', import.meta.url));
// The output goes to stderr, because npm pack runs this too and its own output goes to stdout.
const {status} = spawnSync(process.execPath, [build], {stdio: ['ignore', 2, 2]});
if (status !== 0) process.stderr.write('the page is not built yet; the first "npm start" builds it\n');
