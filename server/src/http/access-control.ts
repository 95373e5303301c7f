// Checks token, cookie, Host and Origin. The same checks serve requests and WebSocket upgrades.
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
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

  get cookieName(): string {
    return `krtscope_${this.#options.port()}`;
  }

  /** The Set-Cookie value for a client that showed the token. */
  cookie(): string {
    return `${this.cookieName}=${encodeURIComponent(this.#options.token)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000`;
  }

  /** Whether the text is the token. Answers false while the client's address is throttled. */
  isToken(req: IncomingMessage, text: string | undefined): boolean {
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

  checkToken(req: IncomingMessage): AccessRefusal | undefined {
    if (this.isToken(req, bearerToken(req)) || this.isToken(req, this.#fromCookie(req))) return undefined;
    if (!this.#mayTry(req)) return tooMany;
    return {
      code: 'unauthorized',
      message: 'this needs the access token',
      hint: 'open the address that krtscope printed, or send "Authorization: Bearer <token>"',
    };
  }

  /** Like checkToken, without the cookie: browsers send cookies by themselves, and programs are not pages. */
  checkBearer(req: IncomingMessage): AccessRefusal | undefined {
    if (this.isToken(req, bearerToken(req))) return undefined;
    if (!this.#mayTry(req)) return tooMany;
    return {
      code: 'unauthorized',
      message: 'programs need a bearer token; a cookie is not accepted here',
      hint: 'send "Authorization: Bearer <token>": KRTSCOPE_URL with ?token=, or KRTSCOPE_TOKEN',
    };
  }

  /** Milliseconds to wait before a refusal. It grows with each wrong token in a row and is 0 without a token. */
  delay(req: IncomingMessage): number {
    return this.#mayTry(req) ? this.#guesses.recordWrong(addressOf(req), this.#shownTokens(req)) : 0;
  }

  #mayTry(req: IncomingMessage): boolean {
    return this.#guesses.mayTry(addressOf(req), this.#shownTokens(req));
  }

  /** Every token in the request: a wrong one must not hide another. */
  #shownTokens(req: IncomingMessage): string[] {
    const query = new URLSearchParams(/\?(.*)$/s.exec(req.url ?? '')?.[1]);
    const all = [bearerToken(req), this.#fromCookie(req), ...query.getAll('token')];
    return all.filter(token => token !== undefined).map(token => digest(token).toString('base64'));
  }

  // A numeric address cannot be rebound to another host, so any of them is as safe as localhost.
  #isOurs(hostHeader: string): boolean {
    const name = hostHeader
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase();
    return name === 'localhost' || isIP(name) !== 0 || name === this.#options.host.toLowerCase();
  }

  #fromCookie(req: IncomingMessage): string | undefined {
    for (const pair of (req.headers.cookie ?? '').split(';')) {
      const [name, ...value] = pair.trim().split('=');
      if (name !== this.cookieName) continue;
      try {
        return decodeURIComponent(value.join('='));
      } catch {
        return undefined;
      }
    }
    return undefined;
  }
}

const addressOf = (req: IncomingMessage) => req.socket.remoteAddress ?? '';

const tooMany: AccessRefusal = {
  code: 'too-many',
  message: 'too many wrong access tokens came from this address',
  hint: 'wait five seconds and try again',
};

function bearerToken(req: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
}

function foreignRefusal(message: string, host: string): AccessRefusal {
  return {code: 'foreign-origin', message, hint: `open krtscope at its own address (--host ${host})`};
}
