import {STATUS_CODES} from 'node:http';
import type {Duplex} from 'node:stream';
import {type ErrorCode, errorCodes} from '@krtscope/shared/vocabulary.ts';

export interface UpgradeRefusal {
  code: ErrorCode;
  message: string;
  hint: string;
}

// Answers like a refused request, so that a script reads the same code and hint.
export function rejectUpgrade(duplex: Duplex, refusal: UpgradeRefusal, delay = 0): void {
  const status = errorCodes[refusal.code];
  const body = JSON.stringify({code: refusal.code, message: refusal.message, hint: refusal.hint});
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // The client may hang up at once. An unhandled error would end the process.
  duplex.on('error', () => duplex.destroy());
  const end = () => duplex.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  if (delay === 0) end();
  else setTimeout(end, delay);
}
