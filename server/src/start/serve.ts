// Serves sessions: engine, HTTP, stream and page, from the start lines to a clean end.
import {readFileSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {basename} from 'node:path';
import {setTimeout as setTimeoutPromise} from 'node:timers/promises';
import type {NamedFile} from '../attach/files/archive-entries.ts';
import {isSavedProgramFile} from '../attach/files/saved-programs.ts';
import type {Config} from '../config.ts';
import {exitWithFault, isOutOfDescriptors} from '../fault.ts';
import {AccessControl} from '../http/access-control.ts';
import {createApp} from '../http/app.ts';
import {log} from '../session/log.ts';
import {SessionList} from '../session/session-list.ts';
import {servePrograms} from '../stream/program-server.ts';
import {serveStream} from '../stream/stream-server.ts';
import {toOneLine} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';
import {canOpenBrowser, openBrowser} from './browser.ts';
import {loadAccessToken, registerInstance} from './data-dir.ts';
import {startedByWrapper, watchParent} from './parent.ts';
import {answerWhileStarting, type StartingAnswers} from './starting-answers.ts';
import {ensureWebBuild, webFolder} from './web-build.ts';

/** The page's address under npm run dev, which needs no build. */
const devPage = process.env.KRTSCOPE_DEV_PAGE;

/** The longest time that stopping may take. */
const STOP_MS = 1500;
/** How much later than a child's end our own signal may arrive. */
const SIGNAL_WAIT_MS = 100;

export async function serve(config: Config, version: string, files: readonly string[]): Promise<void> {
  const token = loadAccessToken(config.dataDir, config.token);
  const sessions = new SessionList(config, version);
  const stopped = waitForStopSignal();
  // Some clients offer HTTP/2 with every request (Upgrade: h2c). Answer those as plain requests.
  const server = createServer({
    shouldUpgradeCallback: req => req.headers.upgrade?.toLowerCase() === 'websocket',
  });
  const port = await listen(server, config);
  const starting = answerWhileStarting(server);
  const clean: (() => unknown)[] = [
    () => server.close(),
    () => server.closeAllConnections(),
    () => sessions.stop(),
  ];
  try {
    // Open the cluster first: a kubeconfig error must not wait behind a build.
    const prepared = chooseSession(sessions, files, starting).then(async line => {
      if (devPage === undefined) await ensureWebBuild(log);
      return line;
    });
    const line = await Promise.race([prepared, stopped]);
    if (line !== undefined) {
      const access = new AccessControl({token, host: config.host, port: () => port});
      starting.stop();
      server.on('request', createApp({access, sessions, webFolder}));
      clean.unshift(
        serveStream({
          server,
          sessions,
          refuse: req => access.checkOrigin(req) ?? access.checkToken(req),
          delay: req => access.delay(req),
        }),
        servePrograms({
          server,
          programs: sessions.programs,
          refuse: req => access.checkOrigin(req) ?? access.checkBearer(req),
          delay: req => access.delay(req),
        }),
        registerInstance(config.dataDir, port, {
          address: address(config.host, port),
          token,
          pid: process.pid,
          started: Date.now(),
        }),
      );
      printStartLines(config, port, token, line, sessions.first().describe().redacted);
      await stopped;
    }
  } catch (error) {
    // Ctrl-C goes to the children, too. The end of one may be noticed before our own signal.
    const isStopping = await Promise.race([
      stopped.then(() => true),
      setTimeoutPromise(SIGNAL_WAIT_MS, false),
    ]);
    // The steps below may hang after a failure, so that main.ts would never print the error.
    if (isStopping) exitSoon();
    else setTimeout(() => exitWithFault(error), STOP_MS);
    await Promise.all(clean.map(step => step()));
    if (!isStopping) exitWithFault(error);
  }
  exitSoon();
  await Promise.all(clean.map(step => step()));
  process.exit();
}

/** Ends the process even if a session does not stop in time. */
function exitSoon(): void {
  setTimeout(() => process.exit(), STOP_MS);
}

async function chooseSession(
  sessions: SessionList,
  paths: readonly string[],
  starting: StartingAnswers,
): Promise<string> {
  const [recording] = paths;
  if (recording === undefined) {
    const {line, session} = await sessions.chooseFirst(process.env);
    // The page opens on the cluster while the documents of attached programs arrive.
    if (session.describe().cluster.kind !== 'attached') await sessions.attachAtStart();
    return line;
  }
  const files = paths.map(readNamedFile);
  const [{bytes}] = files as [NamedFile];
  try {
    if (files.length > 1 || files.every(isSavedProgramFile)) {
      sessions.openSavedPrograms(files);
      return `${paths.join(', ')}; no cluster is contacted`;
    }
    await sessions.openFile(bytes, basename(recording), {tell: reportReadingProgress(recording, starting)});
  } catch (error) {
    throw new UsageError(`${paths.join(' ')}: ${(error as Error).message}`);
  }
  return `the recording ${recording}; no cluster is contacted`;
}

function readNamedFile(path: string): NamedFile {
  try {
    return {name: basename(path), bytes: readFileSync(path), time: statSync(path).mtimeMs};
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Reports progress once a second, because a large file takes a while. */
function reportReadingProgress(file: string, starting: StartingAnswers): (share: number) => void {
  let reportedAt = performance.now();
  starting.say(`Reading ${basename(file)}`);
  return share => {
    starting.say(`Reading ${basename(file)}, ${Math.round(share * 100)} %`);
    if (performance.now() - reportedAt < 1000) return;
    reportedAt = performance.now();
    log(`reading ${file}, ${Math.round(share * 100)} %`);
  };
}

const address = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;

const readOnlyLine = 'read-only: nothing is ever written to the cluster';
const writableLine =
  'writes are allowed (--allow-writes): the status of formulas, and the objects of apply controllers';

function printStartLines(
  {host, showSecrets, allowWrites, open}: Config,
  port: number,
  token: string,
  line: string,
  redacted: boolean,
): void {
  const page = devPage ?? address(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port);
  const url = `${page}?token=${encodeURIComponent(token)}`;
  // A recording shows what it was made with, whatever the flags say.
  const why = showSecrets ? '--show-secrets' : 'the recording was made with it';
  const secrets = redacted ? '; secrets are redacted' : `; secrets are SHOWN (${why})`;
  process.stdout.write(
    `krtscope is at ${url}\ncluster: ${toOneLine(line)}\n${allowWrites ? writableLine : readOnlyLine}${secrets}\n`,
  );
  if (open && canOpenBrowser(process.env, process.stdout.isTTY)) openBrowser(url);
}

function listen(server: ReturnType<typeof createServer>, {host, port}: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new PortError(`port ${port} is in use; stop what uses it, or give --port 0 for a free one`));
      else if (isOutOfDescriptors(error)) reject(error);
      else reject(new UsageError(`cannot listen on ${host}:${port}: ${error.message}`));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Ends with exit code 1 instead of 2: the port is in use, and the command was right. */
export class PortError extends Error {
  override readonly name = 'PortError';
}

function waitForStopSignal(): Promise<void> {
  return new Promise(resolve => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
    process.on('SIGHUP', () => resolve());
    if (startedByWrapper(process.env)) watchParent(resolve, process.env);
  });
}
