// Runs npm run dev: server and page reload on save, the page reaches the server through vite, and no process stays.
import {existsSync, readdirSync, readFileSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {descendants, survivors, TestInstance} from '../server/src/start/testing-instance.ts';

const open: TestInstance[] = [];
afterEach(async () => {
  for (const instance of open.splice(0)) await instance.stop('SIGKILL');
});

function startDev(): TestInstance {
  const instance = new TestInstance(['--demo', '--demo-pace', '0', '--port', '0'], {
    command: ['npm', 'run', 'dev', '--'],
  });
  open.push(instance);
  return instance;
}

/** Saves without a change: watchers notice it, and the tree stays clean even if this test fails. */
const save = (file: string) => utimesSync(file, new Date(), new Date());

async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** The running server, from its instance file. */
function serverNote(home: string): {pid: number; address: string} | undefined {
  const folder = join(home, '.local/state/krtscope/instances');
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined ? undefined : JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

test('a saved server file restarts the server at its old address', async () => {
  const instance = startDev();
  await instance.ready();
  const before = await until('the first server', () => serverNote(instance.home));
  save('server/src/krt/values/clock.ts');
  const after = await until('another server', () => {
    const note = serverNote(instance.home);
    return note === undefined || note.pid === before.pid ? undefined : note;
  });
  expect(after.address).toBe(before.address);
  await instance.ready();
});

test('a saved file of the page is sent to the open page; the page reaches the server', async () => {
  const instance = startDev();
  const {url, token} = await instance.address();
  await instance.ready();
  const welcome = await fetch(`${url}/?token=${token}`);
  expect(await welcome.text()).toContain('/@vite/client');
  const authorization = `Bearer ${token}`;
  expect((await fetch(`${url}/api/v1/graph`, {headers: {authorization}})).status).toBe(200);

  const protocols = ['krtscope', `krtscope.bearer.${token}`];
  const stream = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, protocols, {origin: url});
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
  stream.close();

  const page = new WebSocket(url.replace('http', 'ws'), 'vite-hmr');
  const heard: string[] = [];
  page.on('message', message => heard.push(String(message)));
  await new Promise((resolve, reject) => page.once('open', resolve).once('error', reject));
  const style = 'src/app/shell/shell.css';
  // Vite reports only files that a page has loaded.
  expect((await fetch(`${url}/${style}`)).status).toBe(200);
  save(`web/${style}`);
  await until('news of the file', () => heard.find(text => text.includes(style)));
  page.close();
});

test.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM'] as const)(
  '%s to npm alone ends it, no process left',
  async signal => {
    const instance = startDev();
    await instance.lines();
    const below = descendants(instance.child.pid as number);
    // dev itself, node --watch, the server, the engine, the cluster, vite.
    expect(below.length).toBeGreaterThanOrEqual(6);
    instance.child.kill(signal);
    expect(await survivors(below)).toEqual([]);
  },
);
