// A certificate for a webhook where nobody brought one: signed by itself, so that it is its own CA bundle.

import {makeSelfSignedCertificate} from './self-signed-certificate.ts';

export interface Identity {
  key: string;
  cert: string;
  /** What goes into a caBundle. */
  ca: string;
}

/** For these host names and addresses; a Service's is `name.namespace.svc`. Valid for a year from a day ago. */
export async function selfSignedIdentity(
  hosts: readonly string[] = ['localhost', '127.0.0.1'],
): Promise<Identity> {
  const {key, cert} = await makeSelfSignedCertificate('krtscope-webhook', hosts);
  return {key, cert, ca: cert};
}
