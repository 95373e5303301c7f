// Where a reflector stands in the server's history, and whether it may go on from there.

/** How far back an event that comes twice is recognised. */
const remembered = 4096;

export class WatchPosition {
  /** The last version heard of; empty before the first list. */
  version = '';
  /** The server cannot go on from `version`: the next list asks for the newest. */
  unavailable = false;
  needsList = true;
  /** Lists of this resource come in pages. */
  paginated = false;
  /**
   * `broken`: a connection broke off, so another server may answer now: compare versions before resuming.
   * `replaced`: there was an outage, in which a server may have been restored and grown past our version: list.
   */
  suspect: 'broken' | 'replaced' | undefined;
  readonly #recent = new Set<string>();

  /** Whether events from here on move the version: a watch from nowhere begins with what is there already. */
  get hasVersion(): boolean {
    return this.version !== '' && this.version !== '0';
  }

  listed(version: string): void {
    this.version = version;
    this.unavailable = false;
    this.needsList = false;
    this.suspect = undefined;
    this.#recent.clear();
  }

  distrust(): void {
    this.needsList = true;
    this.unavailable = true;
  }

  /** Every event has a version of its own; the same one again is a stream that stutters. */
  repeats(version: string): boolean {
    if (!version) return false;
    if (this.#recent.has(version)) return true;
    this.#recent.add(version);
    if (this.#recent.size > remembered) this.#recent.delete(this.#recent.values().next().value ?? '');
    return false;
  }
}
