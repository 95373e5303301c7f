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
  /** More host names, from --allowed-host. */
  allowedHosts?: readonly string[];
  /** The origin that people see, from --public-url. */
  publicUrl?: string | undefined;
  /** Signs users in instead of the token. Absent with --auth token. */
  users?: UserSignIn | undefined;
}

/** Finds the user of a request. http/ knows no cluster, so start/ provides it. */
export interface UserSignIn {
  /** `tokens` are those that the request shows outside of its address. */
  signIn(req: IncomingMessage, tokens: readonly string[]): Promise<{user: string} | AccessRefusal>;
}

export type AccessRefusal = {
  code: 'unauthorized' | 'foreign-origin' | 'forbidden' | 'too-many' | 'cluster-unreachable';
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
      return foreignRefusal(
        `the Host "${host ?? ''}" is not one that krtscope serves`,
        `open krtscope at its own address (--host ${this.#options.host}), or start it with --allowed-host NAME`,
      );
    }
    const {origin} = req.headers;
    const {publicUrl} = this.#options;
    const isOwn = origin === `http://${host}` || origin === `https://${host}` || origin === publicUrl;
    if (origin !== undefined && !isOwn) {
      return foreignRefusal(
        `pages of "${origin}" may not use krtscope`,
        `open krtscope at its own address (--host ${this.#options.host})`,
      );
    }
    return undefined;
  }

  /** The user of the request, or why it is refused. `token` is the user of the access token. */
  async signIn(req: IncomingMessage, {isProgram = false} = {}): Promise<{user: string} | AccessRefusal> {
    const {users} = this.#options;
    if (users === undefined) {
      const refusal = isProgram ? this.checkBearer(req) : this.checkToken(req);
      return refusal ?? {user: 'token'};
    }
    // A wrong token of the cluster costs a request there, so guesses wait as they do for the access token.
    if (!this.#mayTry(req)) return tooMany;
    const answer = await users.signIn(
      req,
      isProgram ? [bearerToken(req)].filter(isPresent) : headerTokens(req),
    );
    if ('user' in answer) this.#guesses.recordRight(addressOf(req));
    return answer;
  }

  /** Why the user of an open socket may stay no longer. A cluster that does not answer is not a reason. */
  async recheck(req: IncomingMessage, {isProgram = false} = {}): Promise<AccessRefusal | undefined> {
    if (this.#options.users === undefined) return undefined;
    const answer = await this.signIn(req, {isProgram});
    const isRefused = 'code' in answer && (answer.code === 'unauthorized' || answer.code === 'forbidden');
    return isRefused ? answer : undefined;
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
    const {host, allowedHosts = [], publicUrl} = this.#options;
    if (name === 'localhost' || isIP(name) !== 0 || name === host.toLowerCase()) return true;
    return allowedHosts.includes(name) || (publicUrl !== undefined && new URL(publicUrl).hostname === name);
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
  return [...headerTokens(req), ...inAddress];
}

const isPresent = (token: string | undefined): token is string => token !== undefined;

function headerTokens(req: IncomingMessage): string[] {
  return [bearerToken(req), ...tokensInProtocols(req.headers['sec-websocket-protocol'])].filter(isPresent);
}

function digestsOf(req: IncomingMessage): string[] {
  return shownTokens(req).map(token => digest(token).toString('base64'));
}

/** Node reads header bytes as Latin-1; clients send UTF-8. */
function bearerToken(req: IncomingMessage): string | undefined {
  const sent = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
  return sent === undefined ? undefined : Buffer.from(sent, 'latin1').toString('utf8');
}

function foreignRefusal(message: string, hint: string): AccessRefusal {
  return {code: 'foreign-origin', message, hint};
}
