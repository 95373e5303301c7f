// Splits bytes into lines. A line may arrive in pieces, even split inside a character.

/** Kubernetes objects are at most about 3 MB. A longer line fails, so that it cannot fill memory. */
export const longestLine = 64 * 1024 * 1024;

export class LineSplitter {
  #pending: Buffer[] = [];
  #size = 0;

  /** Yields complete lines without their newline. The rest waits for the next chunk. */
  *push(chunk: Buffer): Generator<string> {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const part = chunk.subarray(from, at);
      from = at + 1;
      if (this.#size === 0) {
        if (part.length) yield part.toString('utf8');
        continue;
      }
      this.#pending.push(part);
      const line = Buffer.concat(this.#pending).toString('utf8');
      this.#pending = [];
      this.#size = 0;
      yield line;
    }
    if (from >= chunk.length) return;
    const rest = chunk.subarray(from);
    this.#pending.push(rest);
    this.#size += rest.length;
    if (this.#size > longestLine) throw new RangeError(`a line of more than ${longestLine} bytes`);
  }

  /** Bytes of the incomplete line. At the end of the stream they are a truncated event. */
  get unfinished(): number {
    return this.#size;
  }
}
