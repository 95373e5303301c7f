// The express app: access checks first, then the API, the debug and health paths, and the page.
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {setTimeout as setTimeoutPromise} from 'node:timers/promises';
import express, {type Express, type NextFunction, type Request, type Response} from 'express';
import helmet from 'helmet';
import type {Sessions} from '../engine/link/session.ts';
import type {AccessControl} from './access-control.ts';
import {type AccessLog, logAccess} from './access-log.ts';
import {apiRouter} from './api.ts';
import {failureHandler, HttpFailure, sendFailure} from './failure.ts';
import {metricsText} from './metrics.ts';
import {limitRate} from './rate-limit.ts';
import {sessionOf} from './request-session.ts';

export interface AppOptions {
  access: AccessControl;
  sessions: Sessions;
  /** The built web app. */
  webFolder: string;
  /** Written once for each request outside of the page's files. */
  accessLog?: AccessLog | undefined;
  /** How the page signs in; absent with the access token. */
  auth?: 'kubernetes' | 'proxy' | undefined;
}

const directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};

const wantsHtml = (req: Request) => req.method === 'GET' && (req.headers.accept ?? '').includes('text/html');
/** Paths that never show the page, so that a browser also gets an error for a mistyped path. */
const serverPaths = /^\/(api|debug|metrics|healthz|readyz)(\/|$)/;

/** The page's own addresses show it to every client. A mistyped path elsewhere is an error for scripts. */
function showsPage(req: Request): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  if (/^\/(connect\/?|s\/.*)?$/.test(req.path)) return req.accepts('html') !== false;
  return wantsHtml(req) && !serverPaths.test(req.path);
}

export function createApp({access, sessions, webFolder, accessLog, auth}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(
    helmet({
      contentSecurityPolicy: {useDefaults: false, directives},
      // krtscope serves plain http on loopback. A browser that insists on https would lock people out.
      strictTransportSecurity: false,
      referrerPolicy: {policy: 'no-referrer'},
    }),
  );
  if (accessLog !== undefined) app.use(logAccess(accessLog));
  app.use((req, res, next) => {
    const refusal = access.checkOrigin(req);
    if (refusal === undefined) next();
    else sendFailure(res, refusal);
  });
  addHealth(app, sessions, access);
  // The page and its files hold no data, so they need no token.
  app.use(['/api', '/debug', '/metrics'], requireToken(access));
  app.use('/api/v1', limitRate({perSecond: 500, burst: 2000}), apiRouter(sessions));
  app.get('/metrics', async (_req, res) => {
    const {text, type} = await metricsText(sessions);
    res.type(type).send(text);
  });
  app.get('/debug/krtz', async (req, res) => {
    const unknown = Object.keys(req.query).find(name => !['session', 'pretty', 'token'].includes(name));
    if (unknown !== undefined)
      throw new HttpFailure(
        'bad-query',
        `/debug/krtz does not take "${unknown}"`,
        'it always shows the present',
      );
    const indent = req.query.pretty === undefined ? 0 : 2;
    const text = sessionOf(sessions, req).link.krtz(indent)[Symbol.asyncIterator]();
    // Wait for the first piece, so that a refusal comes before the answer begins.
    const first = await text.next();
    res.type('json');
    await pipeline(piecesOf(first, text), res);
  });
  addPage(app, webFolder, auth);
  app.use(failureHandler);
  return app;
}

function addHealth(app: Express, sessions: Sessions, access: AccessControl): void {
  app.get('/healthz', (_req, res) => {
    res.type('text/plain').send('ok\n');
  });
  app.get('/readyz', async (req, res) => {
    // Reasons may name addresses of servers. A wrong token waits here as elsewhere, or this path would reveal guesses.
    const isStranger = !('user' in (await access.signIn(req)));
    if (isStranger) await setTimeoutPromise(access.delay(req));
    const {ready, reasons} = await sessionOf(sessions, req).ready(isStranger);
    res.status(ready ? 200 : 503).json({ready, reasons});
  });
}

function requireToken(access: AccessControl) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const answer = await access.signIn(req);
    if ('user' in answer) {
      res.locals.user = answer.user;
      // An answer to a link with the token must not stay in a cache under that address.
      if (req.query.token !== undefined) res.setHeader('Cache-Control', 'no-store');
      next();
      return;
    }
    const refuse = () => sendFailure(res, answer);
    const delay = access.delay(req);
    if (delay === 0) refuse();
    else setTimeout(() => res.destroyed || refuse(), delay);
  };
}

/** The page reads how to sign in from its own document, before any request. */
function pageText(html: string, auth: string | undefined): string {
  return auth === undefined
    ? html
    : html.replace('<head>', `<head><meta name="krtscope-auth" content="${auth}">`);
}

function addPage(app: Express, webFolder: string, auth: string | undefined): void {
  app.use(
    express.static(webFolder, {
      index: false,
      setHeaders: (res, path) => {
        const hashed = path.includes('/assets/') || path.includes('\\assets\\');
        res.setHeader('Cache-Control', hashed ? 'private, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  app.use(async (req, res, next) => {
    if (!showsPage(req)) {
      next(
        new HttpFailure('not-found', `there is no ${req.method} ${req.path}`, 'docs/api.md lists the paths'),
      );
      return;
    }
    res
      .type('html')
      .set('Cache-Control', req.query.token === undefined ? 'no-cache' : 'no-store')
      .send(pageText(await readFile(join(webFolder, 'index.html'), 'utf8'), auth));
  });
}

async function* piecesOf(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    // Free the stream when the client leaves before the end.
    await rest.return?.();
  }
}
