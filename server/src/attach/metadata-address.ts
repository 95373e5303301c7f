// Addresses at which clouds give credentials to every process of a machine. krtscope never asks them.
import {BlockList, isIP} from 'node:net';

const blocked = new BlockList();
blocked.addSubnet('169.254.0.0', 16, 'ipv4');
blocked.addSubnet('fe80::', 10, 'ipv6');
blocked.addAddress('fd00:ec2::254', 'ipv6');

/** Whether the text is a link-local address or the metadata address of a cloud. False for names. */
export function isMetadataAddress(text: string): boolean {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return false;
  const mapped = version === 6 ? mappedIpv4(address) : undefined;
  return mapped === undefined
    ? blocked.check(address, version === 4 ? 'ipv4' : 'ipv6')
    : blocked.check(mapped, 'ipv4');
}

export function metadataRefusal(host: string): string {
  return `${host} is a link-local address, where clouds serve credentials; krtscope does not read it`;
}

/** The IPv4 address in ::ffff:a.b.c.d, which URL writes as ::ffff:a9fe:a9fe. */
function mappedIpv4(address: string): string | undefined {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [h, l] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [h >> 8, h & 255, l >> 8, l & 255].join('.');
}
