// Progress of opening a recording.
import type {SessionsAnswer} from '@krtscope/shared/session.ts';
import {useEffect, useState} from 'react';
import {apiPath, request} from '../stream/http.ts';

const POLL_MS = 250;

/** From 0 to 1; 0 until the server reports progress. */
export function useOpeningProgress(name: string | null): number {
  const [share, setShare] = useState(0);
  useEffect(() => {
    setShare(0);
    if (name === null) return;
    let over = false;
    const look = async () => {
      const answer = await request<SessionsAnswer>(apiPath('/sessions')).catch(() => undefined);
      const file = answer?.opening?.find(one => one.name === name);
      if (!over && file !== undefined) setShare(file.share);
    };
    const timer = setInterval(look, POLL_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [name]);
  return share;
}
