// A WebSocket that is not let in: told as a request would be.
import {STATUS_CODES} from 'node:http';
import type {Duplex} from 'node:stream';
import {type ErrorCode, errorCodes} from '@krtscope/shared/vocabulary.ts';

export interface UpgradeRefusal {
  code: ErrorCode;
  message: string;
  hint: string;
}

// Refused as a request would be: a script that opens a socket reads the same code and hint.
export function rejectUpgrade(duplex: Duplex, refusal: UpgradeRefusal, delay = 0): void {
  const status = errorCodes[refusal.code];
  const body = JSON.stringify({code: refusal.code, message: refusal.message, hint: refusal.hint});
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // Who is refused may hang up at once; unheard that would end the process.
  duplex.on('error', () => duplex.destroy());
  const end = () => duplex.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  if (delay === 0) end();
  else setTimeout(end, delay);
}
