// Connections through a SOCKS5 proxy (RFC 1928, passwords by RFC 1929). undici's own SOCKS agent sends the server's
// IP address as TLS server name, which Node refuses, so clusters without a DNS name would be unreachable.
import {once} from 'node:events';
import {connect as connectTcp, isIP, isIPv6, type Socket} from 'node:net';
import {buildConnector} from 'undici';
import type {TlsMaterial} from '../credentials/endpoint.ts';

const PATIENCE_MS = 10_000;
const NO_PASSWORD = 0;
const PASSWORD = 2;

const refusals = [
  '',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'timed out',
  'command not supported',
  'address type not supported',
];

/** A connector for undici's Agent. The proxy resolves host names, as `socks5h` requires and `socks5` allows. */
export function socksConnector(proxy: URL, tls: TlsMaterial): buildConnector.connector {
  const secure = buildConnector({...tls, timeout: PATIENCE_MS, allowH2: false});
  return (options, callback) => {
    const isSecure = options.protocol === 'https:';
    const port = Number(options.port) || (isSecure ? 443 : 80);
    open(proxy, options.hostname.replace(/^\[|\]$/g, ''), port).then(
      socket => {
        if (isSecure) secure({...options, httpSocket: socket}, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

async function open(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = connectTcp(Number(proxy.port) || 1080, proxy.hostname.replace(/^\[|\]$/g, ''));
  socket.setKeepAlive(true, 30_000);
  const patience = setTimeout(
    () => socket.destroy(new Error(`the SOCKS proxy ${proxy.host} does not answer`)),
    PATIENCE_MS,
  );
  try {
    await once(socket, 'connect');
    await greet(socket, proxy);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(host), portOf(port)]));
    const [, code = 1, , type] = await read(socket, 4);
    if (code !== 0)
      throw new Error(
        `the SOCKS proxy ${proxy.host} cannot connect to ${host}:${port}: ${refusals[code] ?? code}`,
      );
    // Skip the bound address, which is not needed.
    const length = type === 1 ? 4 : type === 4 ? 16 : ((await read(socket, 1))[0] as number);
    await read(socket, length + 2);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

async function greet(socket: Socket, proxy: URL): Promise<void> {
  const [name, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)];
  socket.write(Buffer.from(name === '' ? [5, 1, NO_PASSWORD] : [5, 2, NO_PASSWORD, PASSWORD]));
  const [version, method] = await read(socket, 2);
  if (version !== 5) throw new Error(`${proxy.host} is not a SOCKS5 proxy`);
  if (method === NO_PASSWORD) return;
  if (method !== PASSWORD || name === '')
    throw new Error(
      `the SOCKS proxy ${proxy.host} requires a user name and a password; put them into proxy-url`,
    );
  socket.write(Buffer.concat([Buffer.from([1]), withLengthPrefix(name), withLengthPrefix(password)]));
  const [, refused] = await read(socket, 2);
  if (refused !== 0) throw new Error(`the SOCKS proxy ${proxy.host} rejects the user name and password`);
}

function withLengthPrefix(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from([bytes.byteLength]), bytes]);
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (!isIPv6(host)) return Buffer.concat([Buffer.from([3]), withLengthPrefix(host)]);
  const [head = '', tail] = host.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const bytes = Buffer.alloc(17);
  bytes[0] = 4;
  [...before, ...Array<string>(zeros).fill('0'), ...after].forEach((group, i) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 1 + 2 * i);
  });
  return bytes;
}

function portOf(port: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(port);
  return bytes;
}

/** Reads exactly `length` bytes. Later bytes belong to the server's own protocol. */
async function read(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes?.byteLength === length) return bytes;
    if (socket.readableEnded || socket.destroyed)
      throw socket.errored ?? new Error('the SOCKS proxy closed the connection');
    await Promise.race([once(socket, 'readable'), once(socket, 'end')]);
  }
}
