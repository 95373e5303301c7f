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
  /** Recent events by version, with the object and whether it was deleted. */
  readonly #recent = new Map<string, string>();

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

  /** True for a repeated event: the same version of the same object. Another object is another event. */
  repeats(version: string, event: string): boolean {
    if (!version) return false;
    if (this.#recent.get(version) === event) return true;
    this.#recent.set(version, event);
    if (this.#recent.size > remembered) this.#recent.delete(this.#recent.keys().next().value ?? '');
    return false;
  }
}
