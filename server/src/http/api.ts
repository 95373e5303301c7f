// /api/v1: each path becomes one question to a session's engine process.
import {toDot, toMermaid} from '@krtscope/shared/diagram.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {programNameSchema} from '@krtscope/shared/programs/program.ts';
import {facetsOf, type QuestionName, questionNames} from '@krtscope/shared/questions.ts';
import type {SessionsAnswer} from '@krtscope/shared/session.ts';
import express, {type Request, Router} from 'express';
import {z} from 'zod';
import type {OpenSession, Sessions} from '../engine/link/session.ts';
import {HttpFailure} from './failure.ts';
import {addFormulaRoutes} from './formula-routes.ts';
import {addHistoryRoutes} from './history-routes.ts';
import {refuseUnknownParameters} from './query-parameters.ts';
import {queryParameter, toQuestion} from './question-parser.ts';
import {sessionOf, unknownSessionFailure} from './request-session.ts';
import {addSourceRoutes} from './source-routes.ts';
import {addWhatIfRoutes, triedAnswers} from './what-if-routes.ts';

const UPLOAD_LIMIT = '256mb';

export function apiRouter(sessions: Sessions): Router {
  const router = Router();
  router.use(refuseUnknownParameters);
  const ask = (req: Request, name: QuestionName, more?: Record<string, unknown>) =>
    sessionOf(sessions, req).link.ask(toQuestion(req, name, more));
  const answers: Partial<Record<QuestionName, (req: Request) => Promise<unknown>>> = {
    'why-not': async req => {
      const expected = await expectedOf(sessions, req);
      return ask(req, 'why-not', {expected});
    },
    ...triedAnswers(req => sessionOf(sessions, req)),
  };
  for (const name of questionNames) {
    const {path} = facetsOf(name);
    if (path === undefined) continue;
    const answer = answers[name] ?? ((req: Request) => ask(req, name));
    router.get(path, async (req, res) => {
      res.json(await answer(req));
    });
  }
  router.get('/graph.mmd', async (req, res) => {
    res.type('text/plain').send(toMermaid(await graphOf(sessions, req)));
  });
  router.get('/graph.dot', async (req, res) => {
    res.type('text/plain').send(toDot(await graphOf(sessions, req)));
  });
  router.get('/types', async (req, res) => {
    const collections = (queryParameter(req, 'collections') ?? '').split(',').filter(Boolean);
    res.json({text: await sessionOf(sessions, req).types(collections)});
  });
  router.get('/session', (req, res) => {
    res.json(sessionOf(sessions, req).describe());
  });
  addHistoryRoutes(router, sessions);
  addFormulaRoutes(router, req => sessionOf(sessions, req));
  addSourceRoutes(router, sessions);
  addWhatIfRoutes(router, req => sessionOf(sessions, req));
  addSessionRoutes(router, sessions);
  router.use((req, _res, next) => {
    next(
      new HttpFailure(
        'not-found',
        `there is no ${req.method} ${req.baseUrl}${req.path}`,
        'docs/api.md lists the paths',
      ),
    );
  });
  return router;
}

function addSessionRoutes(router: Router, sessions: Sessions): void {
  router.get('/contexts', async (_req, res) => {
    res.json(await sessions.contexts());
  });
  router.get('/sessions', (_req, res) => {
    const opening = sessions.opening();
    const answer: SessionsAnswer = {
      sessions: sessions.list().map(session => session.describe()),
      opening: opening.length === 0 ? undefined : opening,
    };
    res.json(answer);
  });
  // curl -d and fetch may send another content type or none, so the body's first bytes decide.
  const body = [express.json({limit: '64kb'}), express.raw({type: () => true, limit: UPLOAD_LIMIT})];
  router.post('/sessions', ...body, async (req, res) => {
    const closed = new AbortController();
    res.once('close', () => closed.abort());
    res.status(201).json((await sessions.open(sessionRequest(req), closed.signal)).describe());
  });
  const namedSession = (name: string): OpenSession => {
    const session = sessions.find(name);
    if (session === undefined) throw unknownSessionFailure(name);
    return session;
  };
  router.get('/sessions/:name/lag', (req, res) => {
    res.json(namedSession(req.params.name).lag());
  });
  router.get('/sessions/:name/work', (req, res) => {
    res.json(namedSession(req.params.name).work());
  });
  router.post('/sessions/retry', (req, res) => {
    const session = sessionOf(sessions, req);
    session.retry();
    res.status(202).json(session.describe());
  });
  router.delete('/sessions', async (req, res) => {
    const name = queryParameter(req, 'session');
    if (name === undefined || !(await sessions.close(name))) throw unknownSessionFailure(name);
    res.status(204).end();
  });
}

function sessionRequest(req: Request) {
  if (Buffer.isBuffer(req.body) && (req.is('application/octet-stream') || !looksLikeJson(req.body))) {
    return {recording: new Uint8Array(req.body), name: queryParameter(req, 'name') ?? 'recording.krtrec'};
  }
  const body = (Buffer.isBuffer(req.body) ? parseJsonBody(req.body) : (req.body ?? {})) as {
    context?: unknown;
    demo?: unknown;
    namespaces?: unknown;
    krtz?: unknown;
    name?: unknown;
    headers?: unknown;
    log?: unknown;
    recording?: unknown;
  };
  if (body.demo === true) return {demo: true as const};
  if (typeof body.context === 'string' && body.context !== '') {
    const {namespaces} = body;
    return {
      context: body.context,
      namespaces: namespaces === undefined ? undefined : namespaceNames(namespaces),
    };
  }
  if (typeof body.recording === 'string' && body.recording !== '') return {stored: body.recording};
  if (typeof body.krtz === 'string' && body.krtz !== '') {
    return {
      krtz: body.krtz,
      name: body.name === undefined ? undefined : attachedName(body.name),
      headers: body.headers === undefined ? undefined : requestHeaders(body.headers),
      log: body.log === undefined ? undefined : podLog(body.log),
    };
  }
  throw new HttpFailure(
    'bad-query',
    'the body names no session',
    'send {"context": NAME}, {"demo": true}, {"krtz": ADDRESS}, {"recording": ID}, or the bytes of a .krtrec as application/octet-stream',
  );
}

const looksLikeJson = (bytes: Buffer) =>
  bytes.length === 0 || /^\s*[{["]/.test(bytes.toString('latin1', 0, 20));

function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length > 65_536)
    throw new HttpFailure('too-large', 'the body is too large', 'a session is named in a few words');
  try {
    return JSON.parse(bytes.toString() || '{}');
  } catch (error) {
    throw new HttpFailure('bad-query', (error as Error).message, 'send JSON, or the bytes of a .krtrec');
  }
}

function requestHeaders(given: unknown): Record<string, string> {
  const headers = z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), z.string().max(10_000))
    .safeParse(given);
  if (headers.success) return headers.data;
  throw new HttpFailure(
    'bad-query',
    '"headers" is not an object of texts',
    'send {"Authorization": "Bearer …"}',
  );
}

/** A file is never taken over HTTP: a page could read any file of the user. */
function podLog(given: unknown): 'pod' | 'off' {
  if (given === 'pod' || given === 'off') return given;
  throw new HttpFailure(
    'bad-query',
    '"log" is "pod" or "off"',
    'start krtscope with --attach-log NAME=FILE to follow a file',
  );
}

function attachedName(given: unknown): string {
  const name = programNameSchema.safeParse(given);
  if (name.success) return name.data;
  throw new HttpFailure(
    'bad-query',
    'the name is not valid for a session',
    'letters, digits, dots, dashes and underscores, at most 63',
  );
}

function namespaceNames(given: unknown): string[] {
  const isName = (one: unknown) =>
    typeof one === 'string' && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(one);
  if (Array.isArray(given) && given.length <= 100 && given.every(isName)) return [...new Set<string>(given)];
  throw new HttpFailure(
    'bad-query',
    'namespaces is not a list of namespace names',
    'send a list such as ["default", "shop"]',
  );
}

async function graphOf(sessions: Sessions, req: Request): Promise<Graph> {
  return (await sessionOf(sessions, req).link.ask(toQuestion(req, 'graph'))) as Graph;
}

// Collection names may contain a slash, so the longest matching name wins.
async function expectedOf(
  sessions: Sessions,
  req: Request,
): Promise<{collection: string; key: string} | undefined> {
  const text = queryParameter(req, 'expected');
  if (text === undefined) return undefined;
  const {collections} = await graphOf(sessions, req);
  const fits = collections.map(c => c.name).filter(name => text.startsWith(`${name}/`));
  const collection = fits.sort((a, b) => b.length - a.length)[0] ?? text.split('/')[0] ?? '';
  const key = text.slice(collection.length + 1);
  if (key !== '') return {collection, key};
  throw new HttpFailure(
    'bad-query',
    `expected is "${text}", which names no item`,
    'give it as {collection}/{key}, such as Pods/default/web-0',
  );
}
