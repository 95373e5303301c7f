// Addresses at which clouds give credentials to every process of a machine. krtscope never asks them.
import {BlockList, isIP} from 'node:net';

const blocked = new BlockList();
blocked.addSubnet('169.254.0.0', 16, 'ipv4');
blocked.addSubnet('fe80::', 10, 'ipv6');
// AWS, Google, Alibaba, Oracle and Azure have addresses beside the link-local ones.
blocked.addAddress('fd00:ec2::254', 'ipv6');
blocked.addAddress('fd20:ce::254', 'ipv6');
blocked.addAddress('100.100.100.200', 'ipv4');
blocked.addAddress('192.0.0.192', 'ipv4');
blocked.addAddress('168.63.129.16', 'ipv4');

/** Whether the text is a link-local address or the metadata address of a cloud. False for names. */
export function isMetadataAddress(text: string): boolean {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return false;
  if (version === 4) return blocked.check(address, 'ipv4');
  const inside = ipv4Inside(address);
  return blocked.check(address, 'ipv6') || (inside !== undefined && blocked.check(inside, 'ipv4'));
}

export function metadataRefusal(host: string): string {
  return `${host} is an address at which clouds serve credentials; krtscope does not read it`;
}

/** Ranges of IPv6 that lead to an IPv4 address, and the group at which it begins: mapped, compatible, NAT64, 6to4. */
const CARRIERS: readonly (readonly [prefix: RegExp, at: number])[] = [
  [/^(?:0:){5}ffff:/, 6],
  [/^(?:0:){6}/, 6],
  [/^64:ff9b:(?:0:){4}/, 6],
  [/^2002:/, 1],
];

/** The IPv4 address in an IPv6 address that stands for one. */
function ipv4Inside(address: string): string | undefined {
  const groups = groupsOf(address);
  const text = `${groups.map(group => group.toString(16)).join(':')}:`;
  const at = CARRIERS.find(([prefix]) => prefix.test(text))?.[1];
  if (at === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(at);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address, which URL writes without dots and in lower case; lookups may use dots. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = '', after] = plain.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map(one => Number.parseInt(one, 16)));
  const first = numbers(before);
  const last = numbers(after ?? '');
  return after === undefined
    ? first
    : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
