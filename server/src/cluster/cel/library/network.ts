// IP addresses and CIDR ranges.

import {isIPv4, isIPv6} from 'node:net';
import type {CelFunctions} from '../functions.ts';
import {CelError, CelOpaque, noSuchOverload} from '../values.ts';

class CelIp extends CelOpaque {
  readonly typeName = 'net.IP';
  readonly family: 4 | 6;
  readonly bits: bigint;
  constructor(family: 4 | 6, bits: bigint) {
    super();
    this.family = family;
    this.bits = bits;
  }
  equals(other: this): boolean {
    return this.family === other.family && this.bits === other.bits;
  }
  get width(): number {
    return this.family === 4 ? 32 : 128;
  }
}

class CelCidr extends CelOpaque {
  readonly typeName = 'net.CIDR';
  readonly address: CelIp;
  readonly prefix: number;
  constructor(address: CelIp, prefix: number) {
    super();
    this.address = address;
    this.prefix = prefix;
  }
  equals(other: this): boolean {
    return this.prefix === other.prefix && this.address.equals(other.address);
  }
  masked(): CelCidr {
    const shift = BigInt(this.address.width - this.prefix);
    return new CelCidr(new CelIp(this.address.family, (this.address.bits >> shift) << shift), this.prefix);
  }
}

const bitsOf4 = (text: string): bigint =>
  text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);

function bitsOf6(text: string): bigint {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  let groups = text;
  if (embedded) {
    const low = bitsOf4(embedded[2]!);
    groups = `${embedded[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  }
  const [head = '', tail] = groups.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const all =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

/** Why Go does not parse the address, in its words. */
function addressFault(text: string): string {
  const shown = JSON.stringify(text);
  if (/^[\d.]+$/.test(text) && text.includes('.')) {
    const fields = text.split('.');
    const detail = fields.some(field => field === '')
      ? ['IPv4 field must have at least one digit', '']
      : fields.some(field => /^0\d/.test(field))
        ? ['IPv4 field has octet with leading zero', '']
        : fields.some(field => Number(field) > 255)
          ? ['IPv4 field has value >255', '']
          : fields.length > 4
            ? ['IPv4 address too long', '']
            : ['IPv4 address too short', ''];
    return `ParseAddr(${shown}): ${detail[0]}`;
  }
  return `ParseAddr(${shown}): unable to parse IP`;
}

function parseIp(text: string): CelIp {
  const fail = (why: string) =>
    new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${why}`);
  if (isIPv4(text)) return new CelIp(4, bitsOf4(text));
  if (!isIPv6(text)) throw fail(addressFault(text));
  if (text.includes('%'))
    throw new CelError(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  const bits = bitsOf6(text);
  if (bits >> 32n === 0xffffn)
    throw new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return new CelIp(6, bits);
}

const NETWORK_FAULT = 'network address parse error during conversion from string: ';

function parseCidr(text: string): CelCidr {
  // Kubernetes says it twice.
  const fail = (why: string) => new CelError(`${NETWORK_FAULT}${NETWORK_FAULT}${why}`);
  const shown = JSON.stringify(text);
  const at = text.lastIndexOf('/');
  if (at < 0) throw fail(`netip.ParsePrefix(${shown}): no '/'`);
  const [host, size] = [text.slice(0, at), text.slice(at + 1)];
  if (!isIPv4(host) && !isIPv6(host)) throw fail(`netip.ParsePrefix(${shown}): ${addressFault(host)}`);
  if (!/^(0|[1-9]\d*)$/.test(size))
    throw fail(`netip.ParsePrefix(${shown}): bad bits after slash: ${JSON.stringify(size)}`);
  const address = parseIp(host);
  if (Number(size) > address.width) throw fail(`netip.ParsePrefix(${shown}): prefix length out of range`);
  return new CelCidr(address, Number(size));
}

function orNoOverload<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof CelError ? noSuchOverload() : error;
  }
}

const works = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
};

function ipText({family, bits}: CelIp): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map(shift => (bits >> shift) & 255n).join('.');
  const groups = Array.from({length: 8}, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  // The longest run of at least two zeros is left out.
  let best = {start: -1, length: 1};
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === '0') length++;
    if (length > best.length) best = {start, length};
  }
  if (best.start < 0) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}

const cidrText = (cidr: CelCidr): string => `${ipText(cidr.address)}/${cidr.prefix}`;
const within = (ip: CelIp, family: 4 | 6, text: string, prefix: number): boolean => {
  if (ip.family !== family) return false;
  const shift = BigInt(ip.width - prefix);
  return ip.bits >> shift === (family === 4 ? bitsOf4(text) : bitsOf6(text)) >> shift;
};

function containsIp({address, prefix}: CelCidr, ip: CelIp): boolean {
  const shift = BigInt(address.width - prefix);
  return address.family === ip.family && address.bits >> shift === ip.bits >> shift;
}

const containsCidr = (cidr: CelCidr, other: CelCidr): boolean =>
  cidr.prefix <= other.prefix && containsIp(cidr, other.address);

const isLoopback = (ip: CelIp): boolean => within(ip, 4, '127.0.0.0', 8) || within(ip, 6, '::1', 128);
const isLinkLocal = (ip: CelIp): boolean => within(ip, 4, '169.254.0.0', 16) || within(ip, 6, 'fe80::', 10);
const isMulticast = (ip: CelIp): boolean => within(ip, 4, '224.0.0.0', 4) || within(ip, 6, 'ff00::', 8);
const isUnspecified = (ip: CelIp): boolean => ip.bits === 0n;

export const networkFunctions: CelFunctions = {
  'ip(string): net.IP': parseIp,
  'isIP(string): bool': (text: string) => works(() => parseIp(text)),
  'ip.isCanonical(string): bool': (text: string) => ipText(parseIp(text)) === text,
  'string(net.IP): string': ipText,
  'net.IP::family(): int': ({family}: CelIp) => BigInt(family),
  'net.IP::isUnspecified(): bool': isUnspecified,
  'net.IP::isLoopback(): bool': isLoopback,
  'net.IP::isLinkLocalMulticast(): bool': (ip: CelIp) =>
    within(ip, 4, '224.0.0.0', 24) ||
    (ip.family === 6 && (ip.bits >> 112n) % 16n === 2n && within(ip, 6, 'ff00::', 8)),
  'net.IP::isLinkLocalUnicast(): bool': isLinkLocal,
  'net.IP::isGlobalUnicast(): bool': (ip: CelIp) =>
    !isUnspecified(ip) &&
    !isLoopback(ip) &&
    !isMulticast(ip) &&
    !isLinkLocal(ip) &&
    !within(ip, 4, '255.255.255.255', 32),
  'cidr(string): net.CIDR': parseCidr,
  'isCIDR(string): bool': (text: string) => works(() => parseCidr(text)),
  'string(net.CIDR): string': cidrText,
  'net.CIDR::containsIP(net.IP): bool': containsIp,
  // Kubernetes hides what is wrong with a text here.
  'net.CIDR::containsIP(string): bool': (cidr: CelCidr, text: string) =>
    containsIp(
      cidr,
      orNoOverload(() => parseIp(text)),
    ),
  'net.CIDR::containsCIDR(net.CIDR): bool': containsCidr,
  'net.CIDR::containsCIDR(string): bool': (cidr: CelCidr, text: string) =>
    containsCidr(
      cidr,
      orNoOverload(() => parseCidr(text)),
    ),
  'net.CIDR::ip(): net.IP': ({address}: CelCidr) => address,
  'net.CIDR::masked(): net.CIDR': (cidr: CelCidr) => cidr.masked(),
  'net.CIDR::prefixLength(): int': ({prefix}: CelCidr) => BigInt(prefix),
};
