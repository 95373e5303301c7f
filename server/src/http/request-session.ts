import type {Request} from 'express';
import type {OpenSession, Sessions} from '../engine/link/session.ts';
import {HttpFailure} from './failure.ts';
import {queryParameter} from './question-parser.ts';

/** The session that a request names, else the first. */
export function sessionOf(sessions: Sessions, req: Request): OpenSession {
  const name = queryParameter(req, 'session');
  const session = sessions.find(name);
  if (session === undefined) throw unknownSessionFailure(name);
  return session;
}

export const unknownSessionFailure = (name: string | undefined) =>
  new HttpFailure('unknown-session', `no session "${name ?? ''}" is open`, 'GET /api/v1/sessions lists them');
