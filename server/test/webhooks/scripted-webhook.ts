// A webhook that answers as a test tells it, for several servers at once.
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {selfSignedIdentity} from '../../src/runtime/webhook/identity.ts';

export interface ScriptedRequest {
  uid: string;
  operation: string;
  object: {metadata: Record<string, unknown>; data?: Record<string, string>} | null;
  oldObject: unknown;
  [field: string]: unknown;
}

/** The response of an AdmissionReview, a raw answer, or undefined for none at all. */
export type ScriptedAnswer = Record<string, unknown> | {raw: string; code?: number} | undefined;
export type Script = (request: ScriptedRequest) => ScriptedAnswer;

export interface ScriptedWebhook {
  ca: string;
  port: number;
  /** The address of a script, for one server. */
  url(server: string, script: string): string;
  /** What was asked, by server and script. */
  asked(server: string, script: string): ScriptedRequest[];
  stop(): void;
}

export async function startScriptedWebhook(scripts: Record<string, Script>): Promise<ScriptedWebhook> {
  const {key, cert, ca} = await selfSignedIdentity();
  const seen = new Map<string, ScriptedRequest[]>();
  const server = createServer({key, cert}, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').replace(/\?.*$/, '');
      const {request: asked} = JSON.parse(Buffer.concat(chunks).toString()) as {request: ScriptedRequest};
      seen.set(path, [...(seen.get(path) ?? []), asked]);
      const answer = scripts[path.split('/').at(-1) ?? '']?.(asked);
      if (answer === undefined) return;
      if ('raw' in answer) {
        response.writeHead(Number(answer.code ?? 200), {'content-type': 'application/json'});
        response.end(String(answer.raw));
        return;
      }
      response.writeHead(200, {'content-type': 'application/json'});
      const body = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: {uid: asked.uid, ...answer},
      };
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    ca: Buffer.from(ca).toString('base64'),
    port,
    url: (name, script) => `https://127.0.0.1:${port}/${name}/${script}`,
    asked: (name, script) => seen.get(`/${name}/${script}`) ?? [],
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
