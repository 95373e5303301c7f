// The server's certificate: made at start for loopback, signed by itself, so that a kubeconfig can hold it as CA.
import {selfSigned} from '../runtime/webhook/self-signed.ts';

export interface Identity {
  key: string;
  cert: string;
}

export function makeIdentity(): Promise<Identity> {
  return selfSigned('krtscope-demo', ['localhost', 'kubernetes.default.svc', '127.0.0.1']);
}
