// URLs, parsed as Go's net/url does for requests: absolute, or a path that begins with a slash.
import type {CelFunctions} from '../functions.ts';
import {CelError, CelOpaque} from '../values.ts';

class CelUrl extends CelOpaque {
  readonly typeName = 'kubernetes.URL';
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(scheme: string, host: string, path: string, query: string) {
    super();
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }
  equals(other: this): boolean {
    return (
      this.scheme === other.scheme &&
      this.host === other.host &&
      this.path === other.path &&
      this.query === other.query
    );
  }
}

function fault(text: string, why: string): string {
  return `parse ${JSON.stringify(text)}: ${why}`;
}

/** The URL, or why Go refuses it. */
export function parseUrl(text: string): CelUrl | string {
  if (text === '') return fault(text, 'empty url');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses exactly these.
  if (/[\u0000-\u001f\u007f]/.test(text)) return fault(text, 'net/url: invalid control character in URL');
  if (text === '*') return new CelUrl('', '', '*', '');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  if (!scheme && /^[^/?#]*:/.test(text))
    return fault(
      text,
      text.startsWith(':') ? 'missing protocol scheme' : 'first path segment in URL cannot contain colon',
    );
  let rest = scheme ? text.slice(scheme[0].length) : text;
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme && rest !== '') return new CelUrl(scheme[1]!.toLowerCase(), '', '', query);
    return fault(text, 'invalid URI for request');
  }
  let host = '';
  if ((scheme || !rest.startsWith('///')) && rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
    rest = end < 0 ? '' : rest.slice(end);
    host = authority.slice(authority.lastIndexOf('@') + 1);
    const wrong = hostFault(host);
    if (wrong !== '') return fault(text, wrong);
  }
  const wrongEscape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(rest);
  if (wrongEscape) return fault(text, `invalid URL escape ${JSON.stringify(wrongEscape[0])}`);
  return new CelUrl(scheme ? scheme[1]!.toLowerCase() : '', host, rest, query);
}

function hostFault(host: string): string {
  const port = /:([^\]:]*)$/.exec(host);
  const plain = host.startsWith('[') ? host.slice(host.lastIndexOf(']') + 1) : host;
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  if (port && plain.includes(':') && !/^\d*$/.test(port[1]!))
    return `invalid port ${JSON.stringify(`:${port[1]}`)} after host`;
  const bad = /[ "<>\\^`{|}]/.exec(host);
  return bad ? `invalid character ${JSON.stringify(bad[0])} in host name` : '';
}

function url(text: string): CelUrl {
  const parsed = parseUrl(text);
  if (typeof parsed === 'string')
    throw new CelError(`URL parse error during conversion from string: ${parsed}`);
  return parsed;
}

const hostname = (host: string): string => {
  const bracket = /^\[(.*)\]/.exec(host);
  return bracket ? bracket[1]! : host.replace(/:\d*$/, '');
};

/** Letters that Go leaves in a path stay, others are escaped. */
const escapedPath = (path: string): string =>
  path.replace(/%[0-9a-fA-F]{2}|[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]]|./gsu, part =>
    part.length === 3 && part.startsWith('%')
      ? part
      : /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]]$/.test(part)
        ? part
        : encodeURIComponent(part),
  );

function decodeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function queryOf({query}: CelUrl): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const key = decodeQuery(at < 0 ? pair : pair.slice(0, at));
    const value = decodeQuery(at < 0 ? '' : pair.slice(at + 1));
    if (key === undefined || value === undefined) continue;
    out.set(key, [...(out.get(key) ?? []), value]);
  }
  return out;
}

export const urlFunctions: CelFunctions = {
  'url(string): kubernetes.URL': url,
  'isURL(string): bool': (text: string) => typeof parseUrl(text) !== 'string',
  'kubernetes.URL::getScheme(): string': ({scheme}: CelUrl) => scheme,
  'kubernetes.URL::getHost(): string': ({host}: CelUrl) => host,
  'kubernetes.URL::getHostname(): string': ({host}: CelUrl) => hostname(host),
  'kubernetes.URL::getPort(): string': ({host}: CelUrl) =>
    /:(\d*)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? '',
  'kubernetes.URL::getEscapedPath(): string': ({path}: CelUrl) => escapedPath(path),
  'kubernetes.URL::getQuery(): map<string, list<string>>': queryOf,
};
