// Requests the sources of stored formulas again until the cluster has them. The formulas wait meanwhile.

const RETRY_MS = 3000;

export class SourceRetries {
  readonly #addSource: (resource: string) => Promise<void>;
  readonly #missing = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(addSource: (resource: string) => Promise<void>) {
    this.#addSource = addSource;
  }

  add(sources: readonly string[] = []): void {
    for (const resource of sources) this.#missing.add(resource);
    if (this.#timer === undefined) this.#schedule(0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #schedule(milliseconds: number): void {
    if (this.#closed || this.#missing.size === 0) return;
    this.#timer = setTimeout(() => void this.#retry(), milliseconds);
    this.#timer.unref();
  }

  async #retry(): Promise<void> {
    for (const resource of [...this.#missing]) {
      await this.#addSource(resource).then(
        () => this.#missing.delete(resource),
        () => {},
      );
    }
    this.#timer = undefined;
    this.#schedule(RETRY_MS);
  }
}
