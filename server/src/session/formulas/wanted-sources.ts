// Sources that stored formulas need and the cluster may not have yet: asked for again until they are there. The formula
// waits for them by name meanwhile.

const AGAIN_MS = 3000;

export class WantedSources {
  readonly #addSource: (resource: string) => Promise<void>;
  readonly #wanted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(addSource: (resource: string) => Promise<void>) {
    this.#addSource = addSource;
  }

  add(sources: readonly string[] = []): void {
    for (const resource of sources) this.#wanted.add(resource);
    if (this.#timer === undefined) this.#soon(0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #soon(milliseconds: number): void {
    if (this.#closed || this.#wanted.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), milliseconds);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    for (const resource of [...this.#wanted]) {
      await this.#addSource(resource).then(
        () => this.#wanted.delete(resource),
        () => {},
      );
    }
    this.#timer = undefined;
    this.#soon(AGAIN_MS);
  }
}
