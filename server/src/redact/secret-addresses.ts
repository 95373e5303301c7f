// Finds passwords and tokens in addresses: URLs, Go data source names, user:password@host.
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

/** user/password@//host:1521/service of Oracle. */
const ORACLE_PLAIN = /((?<![\w/.:@-])[\w$#]{1,30}\/)([^\s@/]{3,128})(?=@\/\/[\w.-]+[:/])/g;

/** Replaces the secret parts of addresses; the rest stays readable. */
export function hideAddresses(text: string, hide: HideSecret): string {
  let result = text;
  if (!text.includes('@')) return text;
  if (text.includes('jdbc:oracle'))
    result = result.replace(
      ORACLE_PASSWORD,
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
