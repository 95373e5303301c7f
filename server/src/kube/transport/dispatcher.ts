// Connections to one server: direct, through an HTTP proxy, or through a SOCKS proxy.

import {Agent, type Dispatcher, ProxyAgent} from 'undici';
import type {TlsMaterial} from '../credentials/endpoint.ts';
import {socksConnector} from './socks-proxy.ts';

/** Pools connections and keeps them alive. Sets no timeouts, because the transport has its own. */
export function makeDispatcher(tls: TlsMaterial, proxy: string | undefined): Dispatcher {
  // Load balancers drop idle connections after 60 s. Keep-alive probes every 30 s keep watches open.
  const connect = {...tls, keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000};
  const pool = {
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  if (proxy?.startsWith('socks')) return new Agent({connect: socksConnector(new URL(proxy), tls), ...pool});
  if (proxy) return new ProxyAgent({uri: proxy, requestTls: tls, ...pool});
  return new Agent({connect, ...pool});
}
