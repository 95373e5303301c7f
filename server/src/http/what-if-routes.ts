// POST /api/v1/what-if tries edits in a copy of the graph; GET /api/v1/what-if/fixes tries the fixes of open incidents.
import {whatIfRequestSchema} from '@krtscope/shared/what-if/what-if.ts';
import express, {type Request, type Router} from 'express';
import type {OpenSession} from '../engine/link/session.ts';
import {parseRequestBody} from './request-body.ts';

/** A thousand objects, or a few of the largest that a cluster stores. */
const BODY_LIMIT = '16mb';

export function addWhatIfRoutes(router: Router, sessionOf: (req: Request) => OpenSession): void {
  const json = express.json({limit: BODY_LIMIT, type: () => true});
  router.post('/what-if', json, async (req, res) => {
    const left = new AbortController();
    res.once('close', () => left.abort());
    const request = parseRequestBody(whatIfRequestSchema, req);
    res.json(await sessionOf(req).whatIf(request, left.signal));
  });
  router.get('/what-if/fixes', async (req, res) => {
    const left = new AbortController();
    res.once('close', () => left.abort());
    res.json(await sessionOf(req).tryFixes(left.signal));
  });
}
