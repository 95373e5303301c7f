// The credentials of the server: a self-signed certificate for loopback, which the kubeconfig holds as CA, and tokens.
import {randomBytes} from 'node:crypto';
import {makeSelfSignedCertificate} from '../runtime/webhook/self-signed-certificate.ts';

export interface ClusterCredentials {
  key: string;
  cert: string;
  /** The administrator's token. */
  token: string;
  /** The token of a second user who has only the rights that RBAC objects give. */
  userToken: string;
}

export async function makeCredentials(): Promise<ClusterCredentials> {
  const hosts = ['localhost', 'kubernetes.default.svc', '127.0.0.1'];
  const {key, cert} = await makeSelfSignedCertificate('krtscope-demo', hosts);
  return {key, cert, token: newToken(), userToken: newToken()};
}

const newToken = (): string => randomBytes(24).toString('base64url');
