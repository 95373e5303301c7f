// Serves https with a certificate from files, and reads them again when they change.
import {readFileSync, unwatchFile, watchFile} from 'node:fs';
import {createServer, type Server, type ServerOptions} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {createSecureContext} from 'node:tls';
import {UsageError} from '../usage-error.ts';

const CHECK_MS = 2000;

export interface TlsFiles {
  cert: string;
  key: string;
}

/** A server for http, or for https with the files. `stop` ends the watch of the files. */
export function createWebServer(
  options: ServerOptions,
  tls: TlsFiles | undefined,
  log: (line: string) => void,
): {server: Server; stop: () => void} {
  if (tls === undefined) return {server: createServer(options), stop: () => {}};
  const secure = createSecureServer({...options, ...readPair(tls)});
  const reload = () => {
    try {
      secure.setSecureContext(readPair(tls));
      log(`the certificate ${tls.cert} was read again`);
    } catch (error) {
      // Both files change one after the other, and the second change asks again.
      log(`the certificate was not replaced: ${(error as Error).message}`);
    }
  };
  // A Secret's files are symbolic links that are replaced; only polling sees that on every file system.
  for (const file of [tls.cert, tls.key]) watchFile(file, {interval: CHECK_MS, persistent: false}, reload);
  return {
    // https.Server has the same events and methods; only its type is another one.
    server: secure as unknown as Server,
    stop: () => {
      for (const file of [tls.cert, tls.key]) unwatchFile(file, reload);
    },
  };
}

function readPair({cert, key}: TlsFiles): {cert: Buffer; key: Buffer} {
  try {
    const pair = {cert: readFileSync(cert), key: readFileSync(key)};
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new UsageError(`--tls-cert ${cert}, --tls-key ${key}: ${(error as Error).message}`);
  }
}
