// A certificate for a webhook where nobody brought one: signed by itself, so that it is its own CA bundle.

import {generate} from 'selfsigned';

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
  const day = 86_400_000;
  const made = await generate([{name: 'commonName', value: 'krtscope-webhook'}], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + 365 * day),
    extensions: [
      {name: 'basicConstraints', cA: true, critical: true},
      {name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true},
      {name: 'extKeyUsage', serverAuth: true},
      {
        name: 'subjectAltName',
        altNames: hosts.map(host => (/^[\d.]+$|:/.test(host) ? {type: 7, ip: host} : {type: 2, value: host})),
      },
    ],
  });
  const cert = `${made.cert.trim()}\n`;
  return {key: made.private, cert, ca: cert};
}
