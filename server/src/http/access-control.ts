// Checks token, Host and Origin. The same checks serve requests and WebSocket upgrades.
// There is no cookie: a browser sends cookies to every port of a host.
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import {tokensInProtocols} from '@krtscope/shared/access/socket-token.ts';
import {TokenThrottle} from './token-throttle.ts';

export interface AccessControlOptions {
  token: string;
  /** The address given by --host. Clients may also reach krtscope by this name. */
  host: string;
  port: () => number;
  now?: () => number;
}

export type AccessRefusal = {
  code: 'unauthorized' | 'foreign-origin' | 'too-many';
  message: string;
  hint: string;
};

const digest = (text: string) => createHash('sha256').update(text).digest();

export class AccessControl {
  readonly #options: AccessControlOptions;
  readonly #expected: Buffer;
  readonly #guesses: TokenThrottle;

  constructor(options: AccessControlOptions) {
    this.#options = options;
    this.#expected = digest(options.token);
    this.#guesses = new TokenThrottle(options.now);
  }

  /** Whether the text is the token. Answers false while the client's address is throttled. */
  #isToken(req: IncomingMessage, text: string | undefined): boolean {
    if (text === undefined || !this.#mayTry(req)) return false;
    const right = timingSafeEqual(digest(text), this.#expected);
    if (right) this.#guesses.recordRight(addressOf(req));
    return right;
  }

  /** Refuses pages of other sites, and host names that were pointed at this address (DNS rebinding). */
  checkOrigin(req: IncomingMessage): AccessRefusal | undefined {
    const host = req.headers.host;
    if (host === undefined || !this.#isOurs(host)) {
      return foreignRefusal(`the Host "${host ?? ''}" is not one that krtscope serves`, this.#options.host);
    }
    const {origin} = req.headers;
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      return foreignRefusal(`pages of "${origin}" may not use krtscope`, this.#options.host);
    }
    return undefined;
  }

  /** Accepts the token as a bearer, as the subprotocol of a socket, and in the address of a GET. */
  checkToken(req: IncomingMessage): AccessRefusal | undefined {
    if (shownTokens(req).some(token => this.#isToken(req, token))) return undefined;
    if (!this.#mayTry(req)) return tooMany;
    return {
      code: 'unauthorized',
      message: 'this needs the access token',
      hint: 'open the address that krtscope printed, or send "Authorization: Bearer <token>"',
    };
  }

  /** Like checkToken, but accepts a bearer only: programs are not pages. */
  checkBearer(req: IncomingMessage): AccessRefusal | undefined {
    if (this.#isToken(req, bearerToken(req))) return undefined;
    if (!this.#mayTry(req)) return tooMany;
    return {
      code: 'unauthorized',
      message: 'programs need a bearer token',
      hint: 'send "Authorization: Bearer <token>": KRTSCOPE_URL with ?token=, or KRTSCOPE_TOKEN',
    };
  }

  /** Milliseconds to wait before a refusal. It grows with each wrong token in a row and is 0 without a token. */
  delay(req: IncomingMessage): number {
    return this.#mayTry(req) ? this.#guesses.recordWrong(addressOf(req), digestsOf(req)) : 0;
  }

  #mayTry(req: IncomingMessage): boolean {
    return this.#guesses.mayTry(addressOf(req), digestsOf(req));
  }

  // A numeric address cannot be rebound to another host, so any of them is as safe as localhost.
  #isOurs(hostHeader: string): boolean {
    const name = hostHeader
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase();
    return name === 'localhost' || isIP(name) !== 0 || name === this.#options.host.toLowerCase();
  }
}

const addressOf = (req: IncomingMessage) => req.socket.remoteAddress ?? '';

const tooMany: AccessRefusal = {
  code: 'too-many',
  message: 'too many wrong access tokens came from this address',
  hint: 'wait five seconds and try again',
};

/** Every token in the request: a wrong one must not hide another. */
function shownTokens(req: IncomingMessage): string[] {
  const query = new URLSearchParams(/\?(.*)$/s.exec(req.url ?? '')?.[1]);
  // Only links need a token in the address, and a link never changes anything.
  const inAddress = req.method === 'GET' || req.method === 'HEAD' ? query.getAll('token') : [];
  return [bearerToken(req), ...tokensInProtocols(req.headers['sec-websocket-protocol']), ...inAddress].filter(
    token => token !== undefined,
  );
}

function digestsOf(req: IncomingMessage): string[] {
  return shownTokens(req).map(token => digest(token).toString('base64'));
}

/** Node reads header bytes as Latin-1; clients send UTF-8. */
function bearerToken(req: IncomingMessage): string | undefined {
  const sent = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
  return sent === undefined ? undefined : Buffer.from(sent, 'latin1').toString('utf8');
}

function foreignRefusal(message: string, host: string): AccessRefusal {
  return {code: 'foreign-origin', message, hint: `open krtscope at its own address (--host ${host})`};
}
