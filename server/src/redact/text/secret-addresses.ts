// Finds passwords and tokens in addresses: URLs, Go data source names, user:password@host.
import {isLongRandom, isOpaque} from './opaque-value.ts';
import type {HideSecret} from './secret-value.ts';

/**
 * scheme://user:password@host. The password ends before the first / ? or #, where people encode those. Where they do not, an @ must
 * come later, and before it no port.
 */
const URL_PASSWORD =
  /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s:/?#@]*):(?:([^\s/?#]+)|(?!\d{1,5}[?#])([^\s/]+))@/gi;
/** scheme://token@host. No user has so long a name. */
const URL_TOKEN = /((?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/)([\w.~-]{16,})(?=@)/gi;
/** A data source name of Go's drivers, user:password@tcp(host)/db, and user:password@host:port without a scheme. */
const PLAIN_PASSWORD =
  /(?<![\w/.:-])([\w.-]{1,64}):([^\s@:/]{3,128})@(?!sha(?:256|384|512):)(?=(?:tcp|unix|udp)\(|[\w.-]{1,253}(?::\d{1,5}|\/)|\/[\w-])/g;

/** jdbc:oracle:thin:user/password@host. */
const ORACLE_PASSWORD = /(\bjdbc:oracle:\w+:[^\s/@:]+\/)([^\s@]+)(?=@)/g;

/** `:pserver:user:password@host` of CVS. */
const SERVER_PASSWORD = /(:[a-z]{1,8}server:[^\s:@]{1,64}:)([^\s@:/]{1,128})(?=@)/g;

/** user/password@//host:1521/service of Oracle. */
const ORACLE_PLAIN = /((?<![\w/.:@-])[\w$#]{1,30}\/)([^\s@/]{3,128})(?=@\/\/[\w.-]+[:/])/g;

const WEB_ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'<>`]{8,}/g;
/** Hosts whose paths are secrets as a whole, and words in a path that a token follows. */
const TOKEN_HOST =
  /^(?:[\w-]+\.)*(?:hc-ping\.com|infura\.io|alchemy\.com|quiknode\.pro|ifttt\.com|webhook\.site)$/;
const TOKEN_SEGMENT =
  /(?:^|\/)(?:hooks?|webhooks?|web-?hook|incomingwebhook|key|token|receiver|secret|invites?|bot)(?:\/[\w-]+)?$/i;
const QUERY = /([?&]([\w.-]{1,60})=)([\w%+/=.~-]{16,})/g;
/** Names of parameters that carry a token, although the words mean other things elsewhere. */
const TOKEN_PARAMETER =
  /^(?:code|sig|signature|k|key|api|appid|app_?key|access|auth|sas|t|u|hmac|sv_sig|channel_access|key)$/i;

/** Tokens in the path and in the parameters of a web address. */
function hideInWebAddress(address: string, hide: HideSecret): string {
  const plain = (value: string) => value.replace(/%(?:2B|2F|3D)/gi, code => decodeURIComponent(code));
  const [path = '', ...rest] = address.split(/(?=[?#])/);
  const segments = path.split('/');
  const isWebhook = TOKEN_HOST.test(segments[2] ?? '');
  const hidden = segments
    .map((segment, at) => {
      if (at < 3) return segment;
      const value = plain(segment);
      const isToken = isWebhook || TOKEN_SEGMENT.test(segments.slice(Math.max(3, at - 2), at).join('/'));
      return isLongRandom(value) || (isToken && value.length >= 16 && /\d/.test(value))
        ? hide(segment)
        : segment;
    })
    .join('/');
  const query = rest
    .join('')
    .replace(QUERY, (all, before: string, name: string, value: string) =>
      (TOKEN_PARAMETER.test(name) && isOpaque(plain(value))) || isLongRandom(plain(value))
        ? `${before}${hide(value)}`
        : all,
    );
  return hidden + query;
}

/** Replaces the secret parts of addresses; the rest stays readable. */
export function hideAddresses(text: string, hide: HideSecret): string {
  let result = text;
  if (text.includes('://'))
    result = result.replace(WEB_ADDRESS, address =>
      address.length < 32 ? address : hideInWebAddress(address, hide),
    );
  if (!text.includes('@')) return result;
  if (text.includes('jdbc:oracle'))
    result = result.replace(
      ORACLE_PASSWORD,
      (_, before: string, secret: string) => `${before}${hide(secret)}`,
    );
  if (text.includes('server:'))
    result = result.replace(
      SERVER_PASSWORD,
      (_, before: string, secret: string) => `${before}${hide(secret)}`,
    );
  if (text.includes('@//'))
    result = result.replace(ORACLE_PLAIN, (_, before: string, secret: string) => `${before}${hide(secret)}`);
  if (text.includes('://'))
    result = result
      .replace(URL_PASSWORD, (all, before: string, plain?: string, odd?: string) => {
        const secret = plain ?? odd ?? '';
        return /^(?:\$|\{\{|redacted:)/.test(secret) ? all : `${before}:${hide(secret)}@`;
      })
      .replace(URL_TOKEN, (_, before: string, token: string) => `${before}${hide(token)}`);
  return result.replace(PLAIN_PASSWORD, (all, user: string, password: string) =>
    /^(?:\$|\{\{|redacted)/.test(password) ? all : `${user}:${hide(password)}@`,
  );
}
