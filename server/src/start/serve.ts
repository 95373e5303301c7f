// Serves sessions: engine, HTTP, stream and page, from the start lines to a clean end.
import {readFileSync, statSync} from 'node:fs';
import type {IncomingMessage, Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {basename} from 'node:path';
import {setTimeout as setTimeoutPromise} from 'node:timers/promises';
import type {NamedFile} from '../attach/files/archive-entries.ts';
import {isSavedProgramFile} from '../attach/files/saved-programs.ts';
import type {Config} from '../config.ts';
import {exitWithFault, isOutOfDescriptors} from '../fault.ts';
import {AccessControl, type UserSignIn} from '../http/access-control.ts';
import {accessLine} from '../http/access-log.ts';
import {createApp} from '../http/app.ts';
import {connect} from '../kube/client/connect.ts';
import {log} from '../session/log.ts';
import {SessionList} from '../session/session-list.ts';
import {servePrograms} from '../stream/program-server.ts';
import {serveStream} from '../stream/stream-server.ts';
import {startTelemetry} from '../telemetry/telemetry.ts';
import {toOneLine} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';
import {canOpenBrowser, openBrowser} from './browser.ts';
import {loadAccessToken, registerInstance} from './data-dir.ts';
import {exposureWarning, isLoggedAccess, localAddress, pageAddress} from './listen-address.ts';
import {startedByWrapper, watchParent} from './parent.ts';
import {answerWhileStarting, type StartingAnswers} from './starting-answers.ts';
import {createWebServer} from './tls-server.ts';
import {ClusterReviews, signInByProxy, signInByToken} from './user-sign-in.ts';
import {ensureWebBuild, webFolder} from './web-build.ts';

/** The page's address under npm run dev, which needs no build. */
const devPage = process.env.KRTSCOPE_DEV_PAGE;

/** The longest time that stopping may take. */
const STOP_MS = 1500;
/** How much later than a child's end our own signal may arrive. */
const SIGNAL_WAIT_MS = 100;

export async function serve(config: Config, version: string, files: readonly string[]): Promise<void> {
  const token = loadAccessToken(config.dataDir, config.token);
  const telemetry = await startTelemetry(process.env, version, log);
  const sessions = new SessionList(config, version, telemetry);
  const stopped = waitForStopSignal();
  // Some clients offer HTTP/2 with every request (Upgrade: h2c). Answer those as plain requests.
  const {server, stop: stopTls} = createWebServer(
    {shouldUpgradeCallback: req => req.headers.upgrade?.toLowerCase() === 'websocket'},
    config.tls,
    log,
  );
  const port = await listen(server, config);
  const starting = answerWhileStarting(server);
  const clean: (() => unknown)[] = [
    () => server.close(),
    stopTls,
    () => server.closeAllConnections(),
    () => sessions.stop(),
    () => telemetry?.stop(),
  ];
  try {
    // Open the cluster first: a kubeconfig error must not wait behind a build.
    const prepared = chooseSession(sessions, files, starting).then(async line => {
      if (devPage === undefined) await ensureWebBuild(log);
      return line;
    });
    const line = await Promise.race([prepared, stopped]);
    if (line !== undefined) {
      const {host, allowedHosts, publicUrl, auth} = config;
      const users = createUserSignIn(config, sessions, clean);
      const access = new AccessControl({token, host, port: () => port, allowedHosts, publicUrl, users});
      const accessLog = isLoggedAccess(config, process.stderr) ? log : undefined;
      const refuse = async (req: IncomingMessage, isProgram: boolean) => {
        const answer = access.checkOrigin(req) ?? (await access.signIn(req, {isProgram}));
        const [path = '/'] = (req.url ?? '/').split('?');
        const user = 'user' in answer ? answer.user : undefined;
        accessLog?.(accessLine(req, path, user, user === undefined ? 'refused' : 'socket', 0));
        return 'user' in answer ? undefined : answer;
      };
      starting.stop();
      const pageAuth = auth === 'token' ? undefined : auth;
      server.on('request', createApp({access, sessions, webFolder, accessLog, auth: pageAuth}));
      clean.unshift(
        serveStream({
          server,
          sessions,
          refuse: req => refuse(req, false),
          recheck: req => access.recheck(req),
          delay: req => access.delay(req),
        }),
        servePrograms({
          server,
          programs: sessions.programs,
          refuse: req => refuse(req, true),
          recheck: req => access.recheck(req, {isProgram: true}),
          delay: req => access.delay(req),
        }),
        registerInstance(config.dataDir, port, {
          address: localAddress(config, port),
          // Another sign-in does not take the access token.
          token: auth === 'token' ? token : '',
          pid: process.pid,
          started: Date.now(),
        }),
      );
      const warning = exposureWarning(config);
      if (warning !== undefined) log(`warning: ${warning}`);
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
      await sessions.openSavedPrograms(files);
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

/** Undefined with --auth token. */
function createUserSignIn(
  {auth, trustedProxies}: Config,
  sessions: SessionList,
  clean: (() => unknown)[],
): UserSignIn | undefined {
  if (auth === 'token') return undefined;
  const cluster = sessions.firstCluster;
  if (cluster === undefined)
    throw new UsageError(
      `--auth ${auth} asks the cluster who may enter, and no cluster was chosen; give --kubeconfig`,
    );
  // Only the two reviews leave over this transport. All else goes over the session's, which refuses writes.
  const {transport} = connect({...cluster, readOnly: false});
  clean.push(() => transport.close());
  const reviews = new ClusterReviews({request: options => transport.request(options)});
  return auth === 'kubernetes' ? signInByToken(reviews) : signInByProxy(reviews, trustedProxies);
}

const readOnlyLine = 'read-only: nothing is ever written to the cluster';
const writableLine =
  'writes are allowed (--allow-writes): the status of formulas, and the objects of apply controllers';

function printStartLines(config: Config, port: number, token: string, line: string, redacted: boolean): void {
  const {showSecrets, allowWrites, open, auth} = config;
  const page = devPage ?? pageAddress(config, port);
  const url = auth === 'token' ? `${page}?token=${encodeURIComponent(token)}` : page;
  // A recording shows what it was made with, whatever the flags say.
  const why = showSecrets ? '--show-secrets' : 'the recording was made with it';
  const secrets = redacted ? '; secrets are redacted' : `; secrets are SHOWN (${why})`;
  process.stdout.write(
    `krtscope is at ${url}\ncluster: ${toOneLine(line)}\n${allowWrites ? writableLine : readOnlyLine}${secrets}\n`,
  );
  if (open && canOpenBrowser(process.env, process.stdout.isTTY)) openBrowser(url);
}

function listen(server: Server, {host, port}: Config): Promise<number> {
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
