// npm run dev for real: both halves hear of a saved file, the page reaches the server through vite, nothing stays.
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

/** Saved without a change: watchers hear of it, and the tree stays clean however this test ends. */
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

/** The server that runs now, by the note it left for the command line. */
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
  const welcome = await fetch(`${url}/?token=${token}`, {redirect: 'manual'});
  expect(welcome.status).toBe(303);
  expect(welcome.headers.get('location')).toBe('/');
  const cookie = welcome.headers.getSetCookie().map(text => text.split(';')[0])[0] as string;
  expect(await (await fetch(url)).text()).toContain('/@vite/client');
  expect((await fetch(`${url}/api/v1/graph`, {headers: {cookie}})).status).toBe(200);

  const stream = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
    headers: {cookie, origin: url},
  });
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
  stream.close();

  const page = new WebSocket(url.replace('http', 'ws'), 'vite-hmr');
  const heard: string[] = [];
  page.on('message', message => heard.push(String(message)));
  await new Promise((resolve, reject) => page.once('open', resolve).once('error', reject));
  const style = 'src/app/shell/shell.css';
  // Vite tells of the files that some page has loaded.
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
