// POST /api/v1/what-if tries edits in a copy of the graph. With try=1, incidents and origins carry what a trial of their
// fix found.
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {whatIfRequestSchema} from '@krtscope/shared/what-if/what-if.ts';
import express, {type Request, type Router} from 'express';
import type {OpenSession} from '../engine/link/session.ts';
import {toQuestion} from './question-parser.ts';
import {parseRequestBody} from './request-body.ts';

/** A thousand objects, or a few of the largest that a cluster stores. */
const BODY_LIMIT = '16mb';

type SessionOf = (req: Request) => OpenSession;
type QuestionNamed<N extends Question['ask']> = Extract<Question, {ask: N}>;

export function addWhatIfRoutes(router: Router, sessionOf: SessionOf): void {
  const json = express.json({limit: BODY_LIMIT, type: () => true});
  router.post('/what-if', json, async (req, res) => {
    const request = parseRequestBody(whatIfRequestSchema, req);
    res.json(await sessionOf(req).whatIf(request, leavingSignal(req)));
  });
  router.get('/what-if/fields/:collection', async (req, res) => {
    res.json(await sessionOf(req).kindFields(req.params.collection));
  });
}

export function triedAnswers(sessionOf: SessionOf) {
  return {
    incidents: async (req: Request): Promise<Incidents> => {
      const {try: wantsTrial, ...question} = toQuestion(req, 'incidents') as QuestionNamed<'incidents'>;
      const session = sessionOf(req);
      const answer = (await session.link.ask(question)) as Incidents;
      return wantsTrial ? session.tryIncidentFixes(answer, question.at, leavingSignal(req)) : answer;
    },
    origin: async (req: Request): Promise<Origin> => {
      const {try: wantsTrial, ...question} = toQuestion(req, 'origin') as QuestionNamed<'origin'>;
      const session = sessionOf(req);
      const answer = (await session.link.ask(question)) as Origin;
      return wantsTrial ? session.tryOriginFix(answer, question.at, leavingSignal(req)) : answer;
    },
  };
}

/** Aborts when the client leaves. */
function leavingSignal(req: Request): AbortSignal {
  const left = new AbortController();
  req.res?.once('close', () => left.abort());
  return left.signal;
}
