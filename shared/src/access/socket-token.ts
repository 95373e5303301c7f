// The access token on WebSockets. Pages cannot set headers there, so they offer it as a subprotocol.

const TOKEN_PREFIX = 'krtscope.bearer.';
/** A name without the token, for the server to pick. */
const PLAIN_PROTOCOL = 'krtscope';

/** The subprotocols that a page offers. Percent-encodes the token: not every token is a valid protocol name. */
export function protocolsWithToken(token: string): string[] {
  const encoded = encodeURIComponent(token).replace(/[()]/g, char => `%${char.charCodeAt(0).toString(16)}`);
  return [PLAIN_PROTOCOL, TOKEN_PREFIX + encoded];
}

/** The tokens in a Sec-WebSocket-Protocol header, as sent and percent-decoded. */
export function tokensInProtocols(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map(name => name.trim());
  const sent = names
    .filter(name => name.startsWith(TOKEN_PREFIX))
    .map(name => name.slice(TOKEN_PREFIX.length));
  return [...new Set(sent.flatMap(token => [token, decode(token)]))];
}

/** The protocol in the server's answer. Browsers close a socket whose server picks none of those offered. */
export function pickProtocol(offered: ReadonlySet<string>): string | false {
  const names = [...offered];
  return names.find(name => !name.startsWith(TOKEN_PREFIX)) ?? names[0] ?? false;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
