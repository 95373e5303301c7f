// A request body that is checked right before each part is written. A server acts on a request only when the last part
// has arrived, so a failed check stops the request even if earlier parts have left.

/** The size of a part. The check of the last one decides. */
const partBytes = 64 * 1024;

export interface CheckedBody {
  bytes: number;
  parts: AsyncIterable<Buffer>;
}

export function checkedBody(text: string, check: () => void): CheckedBody {
  const all = Buffer.from(text);
  async function* parts() {
    for (let at = 0; at < all.length; at += partBytes) {
      // The connection writes what is yielded in the same turn of the event loop.
      check();
      yield all.subarray(at, at + partBytes);
    }
  }
  return {bytes: all.length, parts: parts()};
}
