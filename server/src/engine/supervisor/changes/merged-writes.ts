// Merges several writes to one object into the last one, and decides which writer to name. Takes writes newest first.
import type {SourceChange} from '../../link/engine-link.ts';

/** The last write to an object, and the writer of the merged change. */
interface MergedWrite {
  readonly last: SourceChange;
  writer: SourceChange['writer'];
  /** The object was created in between, so its creator is named. */
  made: boolean;
}

export class MergedWrites {
  readonly #later = new Map<string, MergedWrite>();
  readonly #byChange = new Map<SourceChange, MergedWrite>();

  /** Returns true for the last write to an object. An earlier write only contributes its writer. */
  add(change: SourceChange): boolean {
    const name = `${change.collection} ${change.key}`;
    const merged = this.#later.get(name);
    if (merged === undefined) {
      const last: MergedWrite = {last: change, writer: change.writer, made: change.event !== 'update'};
      this.#later.set(name, last);
      this.#byChange.set(change, last);
      return true;
    }
    if (merged.made) return false;
    merged.made = change.event !== 'update';
    // A merged change with several writers names none: the kubelet that reported last did not change a user's label.
    if (change.event === 'add') merged.writer = change.writer;
    else if (merged.writer?.manager !== change.writer?.manager) merged.writer = undefined;
    return false;
  }

  /** Later writes do not merge with earlier ones, for one source or for all. */
  startNewGroup(source?: string): void {
    if (source === undefined) this.#later.clear();
    else
      for (const name of [...this.#later.keys()]) if (name.startsWith(`${source} `)) this.#later.delete(name);
  }

  /** The merged write. */
  withWriter(change: SourceChange): SourceChange {
    const merged = this.#byChange.get(change);
    if (merged === undefined || merged.writer === change.writer) return change;
    const {writer: _, ...rest} = change;
    return merged.writer === undefined ? rest : {...rest, writer: merged.writer};
  }

  has(change: SourceChange): boolean {
    return this.#byChange.has(change);
  }
}
