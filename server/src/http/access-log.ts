// One line for each access: who, what, and the answer. Tokens and queries stay out of it.
import type {IncomingMessage} from 'node:http';
import type {NextFunction, Request, Response} from 'express';
import {toOneLine} from '../terminal.ts';

export type AccessLog = (line: string) => void;

/** Files of the page hold no data. */
const logged = /^\/(api|debug|metrics|readyz)(\/|$)/;

export function logAccess(write: AccessLog) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const started = performance.now();
    const {path} = req;
    if (logged.test(path))
      res.once('close', () =>
        write(accessLine(req, path, res.locals.user, String(res.statusCode), performance.now() - started)),
      );
    next();
  };
}

export function accessLine(
  req: IncomingMessage,
  path: string,
  user: string | undefined,
  status: string,
  milliseconds: number,
): string {
  const from = req.socket.remoteAddress ?? '-';
  return toOneLine(
    `access ${from} ${JSON.stringify(user ?? '-')} ${req.method} ${path} ${status} ${milliseconds.toFixed(0)}ms`,
  );
}
