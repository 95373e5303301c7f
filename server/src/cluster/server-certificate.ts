// Makes the server's self-signed certificate for loopback. The kubeconfig holds it as CA.
import {makeSelfSignedCertificate} from '../runtime/webhook/self-signed-certificate.ts';

interface ServerCertificate {
  key: string;
  cert: string;
}

export function makeServerCertificate(): Promise<ServerCertificate> {
  return makeSelfSignedCertificate('krtscope-demo', ['localhost', 'kubernetes.default.svc', '127.0.0.1']);
}
