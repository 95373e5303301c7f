// /api/v1: each path becomes one question to a session's engine process. Computes nothing itself.
import {toDot, toMermaid} from '@krtscope/shared/diagram.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ItemDetail} from '@krtscope/shared/items.ts';
import express, {type Request, type Response, Router} from 'express';
import type {Sessions} from '../engine/link/session.ts';
import {addControllerRoutes} from './controllers.ts';
import {HttpFailure} from './failure.ts';
import {addFormulaRoutes} from './formulas.ts';
import {one, toQuestion} from './questions.ts';
import {sessionOf, unknownSession} from './session-of.ts';
import {addSourceRoutes} from './sources.ts';

const UPLOAD_LIMIT = '256mb';

export function apiRouter(sessions: Sessions): Router {
  const router = Router();
  const asks =
    (build: (req: Request) => Record<string, unknown>, taken: string[]) =>
    async (req: Request, res: Response) => {
      res.json(await sessionOf(sessions, req).link.ask(toQuestion(req, build(req), taken)));
    };
  const item = (req: Request) => ({collection: req.params.name, key: req.params.key});

  router.get(
    '/graph',
    asks(() => ({ask: 'graph'}), ['at']),
  );
  router.get('/graph.mmd', async (req, res) => {
    res.type('text/plain').send(toMermaid(await graphOf(sessions, req)));
  });
  router.get('/graph.dot', async (req, res) => {
    res.type('text/plain').send(toDot(await graphOf(sessions, req)));
  });
  router.get(
    '/collections/:name/items',
    asks(req => ({ask: 'items', collection: req.params.name}), ['q', 'sort', 'limit', 'cursor', 'at']),
  );
  router.get('/collections/:name/items/:key', async (req, res) => {
    const question = toQuestion(req, {ask: 'item', ...item(req)}, ['at', 'input']);
    const answer = (await sessionOf(sessions, req).link.ask(question)) as ItemDetail;
    // An input without output, and an item that is gone, have none: a script finds the field all the same.
    res.json({...answer, value: answer.value ?? null});
  });
  router.get(
    '/why/:name/:key',
    asks(req => ({ask: 'why', ...item(req)}), ['at', 'input', 'run']),
  );
  router.get(
    '/origin/:name/:key',
    asks(req => ({ask: 'origin', ...item(req)}), ['field', 'at', 'input']),
  );
  router.get('/why-not/:name/:key', async (req, res) => {
    const expected = await expectedOf(sessions, req);
    const question = toQuestion(req, {ask: 'why-not', ...item(req), ...(expected ? {expected} : {})}, [
      'at',
      'input',
    ]);
    res.json(await sessionOf(sessions, req).link.ask(question));
  });
  router.get(
    '/why-empty/:name/:key',
    asks(req => ({ask: 'why-empty', ...item(req)}), ['at']),
  );
  router.get(
    '/fields/:name/:key',
    asks(req => ({ask: 'fields', ...item(req)}), ['at', 'input']),
  );
  router.get(
    '/trace',
    asks(() => ({ask: 'trace'}), ['since', 'until', 'collection', 'key', 'outcome', 'limit', 'cursor']),
  );
  router.get(
    '/diff',
    asks(() => ({ask: 'diff'}), ['from', 'to']),
  );
  router.get(
    '/search',
    asks(() => ({ask: 'search', q: ''}), ['q', 'limit', 'at']),
  );
  router.get(
    '/checks',
    asks(() => ({ask: 'checks'}), ['at']),
  );
  router.get(
    '/incidents',
    asks(() => ({ask: 'incidents'}), ['at', 'state']),
  );
  router.get(
    '/stats',
    asks(() => ({ask: 'stats'}), ['at']),
  );
  router.get(
    '/timeline',
    asks(() => ({ask: 'timeline'}), ['from', 'to', 'buckets']),
  );
  router.get('/types', async (req, res) => {
    const collections = (one(req, 'collections') ?? '').split(',').filter(Boolean);
    res.json({text: await sessionOf(sessions, req).types(collections)});
  });
  router.get('/session', (req, res) => {
    res.json(sessionOf(sessions, req).describe());
  });
  router.get('/recording', async (req, res) => {
    const session = sessionOf(sessions, req);
    const bytes = await session.record();
    res
      .type('application/octet-stream')
      .attachment(`krtscope-${session.name.replaceAll(/[^\w.-]+/g, '-')}.krtrec`);
    res.send(Buffer.from(bytes));
  });
  addControllerRoutes(router, req => sessionOf(sessions, req));
  addFormulaRoutes(router, req => sessionOf(sessions, req));
  addSourceRoutes(router, sessions);
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
    res.json({sessions: sessions.list().map(session => session.describe())});
  });
  // curl -d and fetch with bytes name other types or none: what the body is, it says itself.
  const body = [express.json({limit: '64kb'}), express.raw({type: () => true, limit: UPLOAD_LIMIT})];
  router.post('/sessions', ...body, async (req, res) => {
    res.status(201).json((await sessions.open(sessionRequest(req))).describe());
  });
  router.post('/sessions/retry', (req, res) => {
    const session = sessionOf(sessions, req);
    session.retry();
    res.status(202).json(session.describe());
  });
  router.delete('/sessions', async (req, res) => {
    const name = one(req, 'session');
    if (name === undefined || !(await sessions.close(name))) throw unknownSession(name);
    res.status(204).end();
  });
}

function sessionRequest(req: Request) {
  if (Buffer.isBuffer(req.body) && (req.is('application/octet-stream') || !looksLikeJson(req.body))) {
    return {recording: new Uint8Array(req.body), name: one(req, 'name') ?? 'recording.krtrec'};
  }
  const body = (Buffer.isBuffer(req.body) ? parsed(req.body) : (req.body ?? {})) as {
    context?: unknown;
    demo?: unknown;
    namespaces?: unknown;
  };
  if (body.demo === true) return {demo: true as const};
  if (typeof body.context === 'string' && body.context !== '') {
    return {
      context: body.context,
      ...(body.namespaces === undefined ? {} : {namespaces: namespaceNames(body.namespaces)}),
    };
  }
  throw new HttpFailure(
    'bad-query',
    'the body names no session',
    'send {"context": NAME}, {"demo": true}, or the bytes of a .krtrec as application/octet-stream',
  );
}

const looksLikeJson = (bytes: Buffer) =>
  bytes.length === 0 || /^\s*[{["]/.test(bytes.toString('latin1', 0, 20));

function parsed(bytes: Buffer): unknown {
  if (bytes.length > 65_536)
    throw new HttpFailure('too-large', 'the body is too large', 'a session is named in a few words');
  try {
    return JSON.parse(bytes.toString() || '{}');
  } catch (error) {
    throw new HttpFailure('bad-query', (error as Error).message, 'send JSON, or the bytes of a .krtrec');
  }
}

function namespaceNames(given: unknown): string[] {
  const isName = (one: unknown) =>
    typeof one === 'string' && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(one);
  if (Array.isArray(given) && given.length <= 100 && given.every(isName)) return [...new Set<string>(given)];
  throw new HttpFailure(
    'bad-query',
    'namespaces are not names of namespaces',
    'send a list such as ["default", "shop"]',
  );
}

async function graphOf(sessions: Sessions, req: Request): Promise<Graph> {
  return (await sessionOf(sessions, req).link.ask(toQuestion(req, {ask: 'graph'}, ['at']))) as Graph;
}

// Collection names may hold a slash themselves, so the longest name that fits is the one meant.
async function expectedOf(
  sessions: Sessions,
  req: Request,
): Promise<{collection: string; key: string} | undefined> {
  const text = one(req, 'expected');
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
