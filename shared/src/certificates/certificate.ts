// Reads the public fields of X.509 certificates for formulas.
import {bytesOfBase64, decodeBase64, textOfBytes} from './base64.ts';

export interface CertificateFields {
  /** `CN=shop.example, O=Example`. */
  subject: string;
  issuer: string;
  /** DNS names, IP addresses and email addresses of the subject. */
  names: string[];
  /** ISO 8601. */
  notBefore: string;
  notAfter: string;
  /** Hexadecimal. */
  serial: string;
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
const MAX_CERTIFICATES = 50;
const SAN = '2.5.29.17';

const attributeNames: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
};

/** The certificates of a PEM text, or of its base64 as in a Secret. A text without any gives an empty list. */
export function certificates(text: unknown): CertificateFields[] {
  const given = String(text ?? '').trim();
  if (given === '' || given.startsWith('redacted:')) return [];
  const pem = given.includes('-----BEGIN') ? given : decodeBase64(given);
  return [...pem.matchAll(PEM)]
    .slice(0, MAX_CERTIFICATES)
    .map(found => readCertificate(bytesOfBase64(found[1] ?? '')));
}

/** One element of DER: its tag, and the range of its content. */
interface DerElement {
  tag: number;
  start: number;
  end: number;
}

function readElement(bytes: readonly number[], at: number): DerElement {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) throw new TypeError('the certificate is cut off');
  let [length, start] = [first, at + 2];
  if (first >= 0x80) {
    length = 0;
    for (let left = first & 0x7f; left > 0; left--) length = length * 256 + (bytes[start++] ?? 0);
  }
  if (start + length > bytes.length) throw new TypeError('the certificate is cut off');
  return {tag, start, end: start + length};
}

function childrenOf(bytes: readonly number[], {start, end}: DerElement): DerElement[] {
  const children: DerElement[] = [];
  for (let at = start; at < end; ) {
    const child = readElement(bytes, at);
    children.push(child);
    at = child.end;
  }
  return children;
}

function readCertificate(bytes: readonly number[]): CertificateFields {
  const [signed] = childrenOf(bytes, readElement(bytes, 0));
  if (signed === undefined) throw new TypeError('this is not a certificate');
  // An optional version comes first, in a context tag of its own.
  const parts = childrenOf(bytes, signed).filter(({tag}, place) => place > 0 || tag !== 0xa0);
  const [serial, , issuer, validity, subject] = parts;
  if (serial === undefined || issuer === undefined || validity === undefined || subject === undefined)
    throw new TypeError('this is not a certificate');
  const [notBefore, notAfter] = childrenOf(bytes, validity).map(one => readTime(bytes, one));
  const extensions = parts.find(({tag}) => tag === 0xa3);
  return {
    subject: readName(bytes, subject),
    issuer: readName(bytes, issuer),
    names: extensions === undefined ? [] : readAlternativeNames(bytes, extensions),
    notBefore: notBefore ?? '',
    notAfter: notAfter ?? '',
    serial: bytes
      .slice(serial.start, serial.end)
      .map(byte => byte.toString(16).padStart(2, '0'))
      .join('')
      .replace(/^(00)+(?=.)/, ''),
  };
}

const textOf = (bytes: readonly number[], {start, end}: DerElement) => textOfBytes(bytes.slice(start, end));

function readName(bytes: readonly number[], name: DerElement): string {
  const texts: string[] = [];
  for (const set of childrenOf(bytes, name)) {
    for (const pair of childrenOf(bytes, set)) {
      const [id, value] = childrenOf(bytes, pair);
      if (id === undefined || value === undefined) continue;
      const oid = readOid(bytes, id);
      texts.push(`${attributeNames[oid] ?? oid}=${textOf(bytes, value)}`);
    }
  }
  return texts.join(', ');
}

function readOid(bytes: readonly number[], {start, end}: DerElement): string {
  const first = bytes[start] ?? 0;
  const numbers = [Math.floor(first / 40), first % 40];
  let value = 0;
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  return numbers.join('.');
}

/** UTCTime has two digits of the year: 50 and above belong to the last century. */
function readTime(bytes: readonly number[], element: DerElement): string {
  const text = textOf(bytes, element);
  const full = element.tag === 0x17 ? `${Number(text.slice(0, 2)) >= 50 ? '19' : '20'}${text}` : text;
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full);
  if (found === null) throw new TypeError(`the certificate has an unreadable time "${text.slice(0, 20)}"`);
  const [, year, month, day, hour, minute, second] = found;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}

function readAlternativeNames(bytes: readonly number[], extensions: DerElement): string[] {
  const [list] = childrenOf(bytes, extensions);
  if (list === undefined) return [];
  for (const extension of childrenOf(bytes, list)) {
    const parts = childrenOf(bytes, extension);
    const [id, value] = [parts[0], parts.at(-1)];
    if (id === undefined || value === undefined || readOid(bytes, id) !== SAN) continue;
    return childrenOf(bytes, readElement(bytes, value.start)).flatMap(name => {
      // 1: email, 2: DNS, 6: URI, 7: IP address.
      const kind = name.tag & 0x1f;
      if (kind === 1 || kind === 2 || kind === 6) return [textOf(bytes, name)];
      return kind === 7 ? [addressText(bytes.slice(name.start, name.end))] : [];
    });
  }
  return [];
}

function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += 2)
    groups.push(((bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)).toString(16));
  return groups.join(':');
}
