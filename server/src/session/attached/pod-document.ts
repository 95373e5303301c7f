// The krtz document of a Pod, read through the API server's port-forward.
import {request} from 'node:http';
import type {Duplex} from 'node:stream';
import {KRTZ_LIMITS, type KrtzAnswer, krtzAnswerOf} from '../../attach/krtz-request.ts';
import {openPodPort, type PodPort} from '../../kube/client/port-forward.ts';
import type {Transport} from '../../kube/transport/transport.ts';

/** One GET over one forwarded connection. */
export async function requestPodDocument(
  transport: Transport,
  port: PodPort,
  path: string,
  ended: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<KrtzAnswer> {
  const late = AbortSignal.timeout(KRTZ_LIMITS.milliseconds);
  const signal = AbortSignal.any([ended, late]);
  const hint = `kubectl -n ${port.namespace} port-forward pod/${port.pod} ${port.port}`;
  let connection: Duplex | undefined;
  try {
    connection = await openPodPort(transport, port);
    const {status, text} = await get(connection, port, path, headers, signal);
    return krtzAnswerOf(status, text);
  } catch (error) {
    if (late.aborted) return {reason: `no answer within ${KRTZ_LIMITS.milliseconds / 1000} s`, hint};
    return {reason: (error as Error).message, hint};
  } finally {
    connection?.destroy();
  }
}

function get(
  connection: Duplex,
  {port}: PodPort,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{status: number; text: string | undefined}> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        createConnection: () => connection,
        path,
        headers: {host: `localhost:${port}`, accept: 'application/json', connection: 'close', ...headers},
        signal,
      },
      answer => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes <= KRTZ_LIMITS.bytes) pieces.push(piece);
          else answer.destroy();
        });
        answer.on('error', reject);
        answer.on('close', () => {
          const text = bytes > KRTZ_LIMITS.bytes ? undefined : Buffer.concat(pieces).toString('utf8');
          resolve({status: answer.statusCode ?? 0, text});
        });
      },
    );
    sent.on('error', reject);
    connection.on('error', reject);
    sent.end();
  });
}
