// Routes of the history on disk: recordings, bookmarks, and the export of a stretch.
import {newBookmarkSchema} from '@krtscope/shared/retention/bookmarks.ts';
import express, {type Request, type Router} from 'express';
import type {Sessions} from '../engine/link/session.ts';
import {HttpFailure} from './failure.ts';
import {queryParameter} from './question-parser.ts';
import {sessionOf} from './request-session.ts';

export function addHistoryRoutes(router: Router, sessions: Sessions): void {
  router.get('/recording', async (req, res) => {
    const session = sessionOf(sessions, req);
    const bytes = await session.record({from: sequenceOf(req, 'from'), to: sequenceOf(req, 'to')});
    res
      .type('application/octet-stream')
      .attachment(`krtscope-${session.name.replaceAll(/[^\w.-]+/g, '-')}.krtrec`);
    res.send(Buffer.from(bytes));
  });
  router.get('/recordings', async (_req, res) => {
    res.json({recordings: await sessions.recordings()});
  });
  router.delete('/recordings/:id', async (req, res) => {
    const {id} = req.params;
    if (!(await sessions.removeRecording(id)))
      throw new HttpFailure(
        'not-found',
        `there is no recording "${id}"`,
        'GET /api/v1/recordings lists them',
      );
    res.status(204).end();
  });
  router.get('/bookmarks', async (req, res) => {
    res.json({bookmarks: await sessionOf(sessions, req).bookmarks.list()});
  });
  router.post('/bookmarks', express.json({limit: '16kb', type: () => true}), async (req, res) => {
    const parsed = newBookmarkSchema.safeParse(req.body);
    if (!parsed.success) {
      throw new HttpFailure(
        'bad-query',
        'the body is not a bookmark',
        'send {"name": "before the deploy", "sequence": 184}',
      );
    }
    res.status(201).json(await sessionOf(sessions, req).bookmarks.add(parsed.data));
  });
  router.delete('/bookmarks/:id', async (req, res) => {
    const {id} = req.params;
    if (!(await sessionOf(sessions, req).bookmarks.remove(id)))
      throw new HttpFailure('not-found', `there is no bookmark "${id}"`, 'GET /api/v1/bookmarks lists them');
    res.status(204).end();
  });
}

function sequenceOf(req: Request, name: string): number | undefined {
  const text = queryParameter(req, name);
  if (text === undefined) return undefined;
  const sequence = Number(text);
  if (Number.isSafeInteger(sequence) && sequence >= 0) return sequence;
  throw new HttpFailure('bad-query', `${name} is "${text}"`, 'give a sequence number, such as 184');
}
