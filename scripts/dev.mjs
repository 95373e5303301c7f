// npm run dev [-- FLAGS]: restarts the server and reloads the page on save. Both programs end together.
import './node26.mjs';
import {spawn} from 'node:child_process';
import {createServer} from 'node:net';
import {fileURLToPath} from 'node:url';

const {parseConfig} = await import('../server/src/config.ts');
const {startedByWrapper, watchParent} = await import('../server/src/start/parent.ts');

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

/** The wanted port if it is free, otherwise another free one. 0 means any port. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', error => (wanted === 0 ? reject(error) : resolve(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const {port} = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

let config;
try {
  ({config} = parseConfig(args, process.env));
} catch (error) {
  process.stderr.write(`npm run dev: ${error.message}\n`);
  process.exit(2);
}
// Chosen once, because a restarted server must keep its address.
const serverPort = await freePort(config.port);
const pagePort = await freePort(5173);

const program = (folder, words, env) =>
  spawn(process.execPath, words, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {...process.env, ...env},
  });

const children = [
  program(
    root,
    [
      '--watch-path=server/src',
      '--watch-path=shared/src',
      '--watch-preserve-output',
      'server/src/main.ts',
      ...args,
      '--no-open',
      `--port=${serverPort}`,
    ],
    {KRTSCOPE_DEV_PAGE: `http://127.0.0.1:${pagePort}/`},
  ),
  program(
    `${root}/web`,
    ['../node_modules/vite/bin/vite.js', '--host=127.0.0.1', `--port=${pagePort}`, '--strictPort'],
    {KRTSCOPE_DEV_SERVER: `http://127.0.0.1:${serverPort}`},
  ),
];

let left = children.length;
const end = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
if (startedByWrapper(process.env)) watchParent(end, process.env);
for (const child of children) {
  child.on('exit', code => {
    if (code) process.exitCode = code;
    left -= 1;
    if (left > 0) end();
    else process.exit();
  });
}
