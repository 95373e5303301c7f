// The path and query of a request as a URL, whatever was sent: a parser that throws would end the process or leak.

/** Never throws and never leaves this host: `//name` and `/\name` are paths here, not other servers. */
export function toRequestUrl(requested: string | undefined): URL {
  try {
    return new URL((requested ?? '/').replace(/^[/\\]+/, '/'), 'http://x');
  } catch {
    return new URL('http://x/');
  }
}
