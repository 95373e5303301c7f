// A self-signed certificate for a webhook. It is its own CA bundle.

import {makeSelfSignedCertificate} from './self-signed-certificate.ts';

export interface Identity {
  key: string;
  cert: string;
  /** The value for caBundle. */
  ca: string;
}

/** For these host names and addresses. The name of a Service is `name.namespace.svc`. Valid for a year. */
export async function selfSignedIdentity(
  hosts: readonly string[] = ['localhost', '127.0.0.1'],
): Promise<Identity> {
  const {key, cert} = await makeSelfSignedCertificate('krtscope-webhook', hosts);
  return {key, cert, ca: cert};
}
