// npm run dev: the server restarts and the page reloads on save. Two programs, ended together.
import './node26.mjs';
import {spawn} from 'node:child_process';

const PORT = process.env.KRTSCOPE_PORT || '7070';
const children = [
  // Restarting must not open a browser each time, and the page comes from vite.
  spawn(
    process.execPath,
    [
      '--watch-path=server/src',
      '--watch-path=shared/src',
      '--watch-preserve-output',
      'server/src/main.ts',
      '--no-open',
      '--port',
      PORT,
      ...process.argv.slice(2),
    ],
    {stdio: ['ignore', 'inherit', 'inherit']},
  ),
  spawn(process.execPath, ['../node_modules/vite/bin/vite.js', '--host', '127.0.0.1'], {
    cwd: 'web',
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {...process.env, KRTSCOPE_DEV_SERVER: `http://127.0.0.1:${PORT}`},
  }),
];
process.stdout.write(
  'npm run dev: open the address that vite prints, with the token that krtscope prints after ?token=\n',
);
const end = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', end);
process.on('SIGTERM', end);
for (const child of children) child.on('exit', end);
