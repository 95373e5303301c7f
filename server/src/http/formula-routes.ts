// /api/v1/formulas: previews drafts and saves formulas.
import {formulaChangeSchema, formulaRequestSchema, previewRequestSchema} from '@krtscope/shared/formulas.ts';
import express, {type Request, type Router} from 'express';
import type {OpenSession} from '../engine/link/session.ts';
import {HttpFailure} from './failure.ts';
import {queryParameter} from './question-parser.ts';
import {parseRequestBody} from './request-body.ts';

const BODY_LIMIT = '1mb';

export function addFormulaRoutes(router: Router, sessionOf: (req: Request) => OpenSession): void {
  const json = express.json({limit: BODY_LIMIT, type: () => true});
  router.post('/formulas/preview', json, async (req, res) => {
    const left = new AbortController();
    res.once('close', () => left.abort());
    const draft = parseRequestBody(previewRequestSchema, req);
    res.json(await sessionOf(req).formulas.preview(draft, left.signal));
  });
  router.get('/formulas', async (req, res) => {
    const at = queryParameter(req, 'at');
    if (at !== undefined && !/^\d+$/.test(at))
      throw new HttpFailure('bad-query', `at is "${at}", not a number`, 'give at as a sequence');
    const {formulas} = sessionOf(req);
    const moment = at === undefined ? undefined : Number(at);
    res.json({formulas: await formulas.list(moment), modules: await formulas.modules(moment)});
  });
  router.post('/formulas', json, async (req, res) => {
    res.status(201).json(await sessionOf(req).formulas.create(parseRequestBody(formulaRequestSchema, req)));
  });
  router.get('/formulas/:name', async (req, res) => {
    res.json(await sessionOf(req).formulas.get(req.params.name));
  });
  router.put('/formulas/:name', json, async (req, res) => {
    res.json(
      await sessionOf(req).formulas.change(
        req.params.name as string,
        parseRequestBody(formulaChangeSchema, req),
      ),
    );
  });
  router.delete('/formulas/:name', async (req, res) => {
    await sessionOf(req).formulas.remove(req.params.name);
    res.status(204).end();
  });
}
