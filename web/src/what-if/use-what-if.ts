// Sends a draft to the server and keeps the answer. Nothing is sent before the reader asks for it.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {WhatIf, WhatIfRequestInput} from '@krtscope/shared/what-if/what-if.ts';
import {useEffect, useRef, useState} from 'react';
import {useApp} from '../store/app.ts';
import {apiPath, jsonRequest, RequestError, request} from '../stream/http.ts';
import {clearSupposition, suppose} from './supposition.ts';

export interface WhatIfTrial {
  readonly answer: WhatIf | null;
  readonly failure: ApiFailure | null;
  readonly isRunning: boolean;
  run(request: Omit<WhatIfRequestInput, 'at'>, at: number | null): void;
  clear(): void;
}

export function useWhatIf(): WhatIfTrial {
  const [answer, setAnswer] = useState<WhatIf | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (wanted: Omit<WhatIfRequestInput, 'at'>, at: number | null): Promise<void> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const {session} = useApp.getState().route;
    setRunning(true);
    setFailure(null);
    try {
      const body = {...wanted, ...(at === null ? {} : {at})};
      const found = await request<WhatIf>(
        apiPath('/what-if', {session}),
        jsonRequest('POST', body, own.signal),
      );
      if (own.signal.aborted) return;
      setAnswer(found);
      suppose(session, found);
    } catch (error) {
      if (own.signal.aborted) return;
      setAnswer(null);
      setFailure(
        error instanceof RequestError
          ? error.failure
          : {code: 'internal', message: String(error), hint: 'reload the page'},
      );
    } finally {
      if (!own.signal.aborted) setRunning(false);
    }
  };
  const clear = () => {
    running.current?.abort();
    setAnswer(null);
    setFailure(null);
    setRunning(false);
    clearSupposition();
  };
  return {answer, failure, isRunning, run: (wanted, at) => void run(wanted, at), clear};
}
