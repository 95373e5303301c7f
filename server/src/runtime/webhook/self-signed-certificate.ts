// Creates self-signed certificates.

const DAY = 86_400_000;

/** Valid for a year, and from one day ago in case the clocks differ. */
export async function makeSelfSignedCertificate(
  commonName: string,
  hosts: readonly string[],
): Promise<{key: string; cert: string}> {
  // Loaded on demand: the library takes 13 MB, and most programs need no certificate.
  const {generate} = await import('selfsigned');
  const made = await generate([{name: 'commonName', value: commonName}], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY),
    notAfterDate: new Date(Date.now() + 365 * DAY),
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
  return {key: made.private, cert: `${made.cert.trim()}\n`};
}
