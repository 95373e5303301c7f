// The last version of a reflector, and whether its watch may continue from there.

/** The number of recent versions in which repeated events are recognised. */
const remembered = 4096;

export class WatchPosition {
  /** The last version received; empty before the first list. */
  version = '';
  /** The server cannot continue from `version`, so the next list asks for the newest state. */
  unavailable = false;
  needsList = true;
  /** The server sends lists of this resource in pages. */
  paginated = false;
  /**
   * `broken`: a connection broke, and another server may answer now. Compare versions before resuming.
   * `replaced`: after an outage the server may be a restored one that has passed our version. List again.
   */
  suspect: 'broken' | 'replaced' | undefined;
  readonly #recent = new Set<string>();

  /** False for a watch without a start version, which begins with the existing objects. */
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

  /** Every event has its own version, so an equal version is a repeated event. */
  repeats(version: string): boolean {
    if (!version) return false;
    if (this.#recent.has(version)) return true;
    this.#recent.add(version);
    if (this.#recent.size > remembered) this.#recent.delete(this.#recent.values().next().value ?? '');
    return false;
  }
}
