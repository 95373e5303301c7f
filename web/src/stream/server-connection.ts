// What the page knows of its server: the socket, the session, the newest sequence. The client writes it, views read it.
import type {ApiFailure, SessionAnswer} from '@krtscope/shared/session.ts';
import {create} from 'zustand';

export interface ServerConnection {
  socket: 'connecting' | 'open' | 'lost';
  /** When the socket was lost, and when the next try comes (page clock, milliseconds). */
  lostAt: number | null;
  retryAt: number | null;
  attempt: number;
  recording: string | null;
  session: SessionAnswer | null;
  /** The newest batch the server has told us of, also while a past moment is looked at. */
  sequence: number;
  /** Server clock minus page clock, in milliseconds: ages are counted on the server's clock. */
  skew: number;
  /** Counts the times the server could not resume: what was held is of another recording. */
  resets: number;
  failure: ApiFailure | null;
}

export const initialConnection: ServerConnection = {
  socket: 'connecting',
  lostAt: null,
  retryAt: null,
  attempt: 0,
  recording: null,
  session: null,
  sequence: 0,
  skew: 0,
  resets: 0,
  failure: null,
};

export const useConnection = create<ServerConnection>()(() => initialConnection);

/** Now, on the server's clock. */
export function serverNow(): number {
  return Date.now() + useConnection.getState().skew;
}
