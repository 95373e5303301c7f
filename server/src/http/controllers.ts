// /controllers and /why-reconcile: what the programs of a session say of their controllers.
import type {Request, Response, Router} from 'express';
import type {OpenSession} from '../engine/link/session.ts';
import {toQuestion} from './questions.ts';

export function addControllerRoutes(router: Router, sessionOf: (req: Request) => OpenSession): void {
  const asks =
    (build: (req: Request) => Record<string, unknown>, taken: string[]) =>
    async (req: Request, res: Response) => {
      res.json(await sessionOf(req).link.ask(toQuestion(req, build(req), taken)));
    };
  router.get(
    '/controllers',
    asks(() => ({ask: 'controllers'}), ['at']),
  );
  router.get(
    '/controllers/:name/requests',
    asks(req => ({ask: 'requests', controller: req.params.name}), ['state', 'limit', 'cursor', 'at']),
  );
  router.get(
    '/controllers/:name/requests/:key',
    asks(req => ({ask: 'request', controller: req.params.name, key: req.params.key}), ['at']),
  );
  router.get(
    '/why-reconcile/:name/:key',
    asks(
      req => ({ask: 'why-reconcile', controller: req.params.name, key: req.params.key}),
      ['attempt', 'at'],
    ),
  );
}
