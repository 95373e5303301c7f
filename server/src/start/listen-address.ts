// The address to print for a listener, and the warning if others can reach it unprotected.
import {networkInterfaces} from 'node:os';
import type {Config} from '../config.ts';

const isEvery = (host: string) => host === '0.0.0.0' || host === '::';
const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** The address for people: --public-url, else one by which other machines reach this one. */
export function pageAddress(config: Pick<Config, 'host' | 'publicUrl' | 'tls'>, port: number): string {
  if (config.publicUrl !== undefined) return `${config.publicUrl}/`;
  return addressText(
    config,
    isEvery(config.host) ? (outerAddress(config.host) ?? '127.0.0.1') : config.host,
    port,
  );
}

/** The address for commands on this machine. */
export function localAddress(config: Pick<Config, 'host' | 'tls'>, port: number): string {
  return addressText(config, isEvery(config.host) ? '127.0.0.1' : config.host, port);
}

function addressText({tls}: Pick<Config, 'tls'>, host: string, port: number): string {
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

function outerAddress(host: string): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  const outer = all.filter(({internal, address}) => !internal && !address.startsWith('fe80:'));
  return (outer.find(({family}) => family === 'IPv4') ?? (host === '::' ? outer[0] : undefined))?.address;
}

export function exposureWarning({
  host,
  tls,
  auth,
}: Pick<Config, 'host' | 'tls' | 'auth'>): string | undefined {
  if (isLoopback(host) || tls !== undefined || auth !== 'token') return undefined;
  return `--host ${host} lets other machines in over plain http, where the access token can be read on the way; give --tls-cert and --tls-key, or --auth behind a proxy with TLS (docs/in-cluster.md)`;
}

/**
 * Whether each access is a line of the log. It is not in a terminal of the only person who can reach this instance: the
 * lines would bury all others.
 */
export const isLoggedAccess = (
  {host, auth}: Pick<Config, 'host' | 'auth'>,
  {isTTY = false}: {isTTY?: boolean},
): boolean => !isTTY || auth !== 'token' || !isLoopback(host);
