// What the page knows about its server: socket, session, newest sequence. The client writes it, views read it.
import type {ApiFailure, SessionAnswer} from '@krtscope/shared/session.ts';
import {create} from 'zustand';

interface ServerConnection {
  socket: 'connecting' | 'open' | 'lost';
  /** When the socket was lost, and when the next try comes (page clock, milliseconds). */
  lostAt: number | null;
  retryAt: number | null;
  attempt: number;
  recording: string | null;
  session: SessionAnswer | null;
  /** The newest batch that the server reported, even while a past moment is on screen. */
  sequence: number;
  /** Server clock minus page clock, in milliseconds: ages count on the server's clock. */
  skew: number;
  /** In a recording: its last moment, from which ages count. Null while it is not known, and in live sessions. */
  endOfRecording: number | null;
  /** Counts how often the server could not resume. Earlier answers then belong to another recording. */
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
  endOfRecording: null,
  resets: 0,
  failure: null,
};

export const useConnection = create<ServerConnection>()(() => initialConnection);

/** Now, on the server's clock. In a recording time stands still at its last moment. */
export function serverNow(): number {
  const {skew, endOfRecording} = useConnection.getState();
  return endOfRecording ?? Date.now() + skew;
}
