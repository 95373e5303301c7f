// The path and query of a request as a URL. A parser that throws would end the process.

/** Never throws and never leaves this host: `//name` and `/\name` are paths here and not other servers. */
export function toRequestUrl(requested: string | undefined): URL {
  try {
    return new URL((requested ?? '/').replace(/^[/\\]+/, '/'), 'http://x');
  } catch {
    return new URL('http://x/');
  }
}
