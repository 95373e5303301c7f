// Failures in the API's words: `{code, message, hint}` with the contract's status codes.
import {type ErrorCode, errorCodes} from '@krtscope/shared/vocabulary.ts';
import type {NextFunction, Request, Response} from 'express';
import {faultText} from '../terminal.ts';

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly code: ErrorCode;
  readonly hint: string;
  constructor(code: ErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

interface CodedFailure {
  code: ErrorCode;
  message: string;
  hint?: string;
  nearest?: number;
  readers?: string[];
  errors?: unknown;
}

// Failures of the engine process arrive as plain errors, so recognize them by their code and not by their class.
function isCoded(error: unknown): error is CodedFailure {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code) in errorCodes;
}

export function sendFailure(res: Response, error: unknown): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const failure = isCoded(error) ? error : fromExpress(error);
  if (failure.code === 'internal') process.stderr.write(`krtscope: ${faultText(error)}\n`);
  if (failure.code === 'engine-restarting' || failure.code === 'too-many') res.setHeader('Retry-After', '1');
  const {code, message, hint = '', nearest, readers, errors} = failure;
  res.status(errorCodes[code]).json({code, message, hint, nearest, readers, errors});
}

function fromExpress(error: unknown): CodedFailure {
  const {status, type, message} = error as {status?: number; type?: string; message?: string};
  if (error instanceof URIError || status === 400) {
    return {
      code: 'bad-query',
      message: message ?? 'malformed request',
      hint: 'percent-encode keys and send JSON bodies',
    };
  }
  if (status === 413 || type === 'entity.too.large') {
    return {code: 'too-large', message: 'the body is too large', hint: 'recordings are taken up to 256 MB'};
  }
  return {
    code: 'internal',
    message: 'something went wrong in krtscope',
    hint: 'its log on stderr has the details',
  };
}

/** Needs four parameters: express recognizes error handlers by their number. */
export function failureHandler(error: unknown, _req: Request, res: Response, _next: NextFunction): void {
  sendFailure(res, error);
}
