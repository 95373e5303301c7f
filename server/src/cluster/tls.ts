// The server's certificate: made at start for loopback, signed by itself, so that a kubeconfig can hold it as CA.
import {generate} from 'selfsigned';

export interface Identity {
  key: string;
  cert: string;
}

export async function makeIdentity(): Promise<Identity> {
  const day = 24 * 3600 * 1000;
  const made = await generate([{name: 'commonName', value: 'krtscope-demo'}], {
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
        altNames: [
          {type: 2, value: 'localhost'},
          {type: 2, value: 'kubernetes.default.svc'},
          {type: 7, ip: '127.0.0.1'},
        ],
      },
    ],
  });
  return {key: made.private, cert: `${made.cert.trim()}\n`};
}
