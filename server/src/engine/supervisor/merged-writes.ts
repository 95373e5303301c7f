// Several writes to one object that become the last of them: who wrote what is left. Told newest first.
import type {SourceChange} from '../link/engine-link.ts';

/** The last write to an object, and who may be named for all that it brings. */
interface MergedWrite {
  readonly last: SourceChange;
  writer: SourceChange['writer'];
  /** The object was made in between: whoever made it is named, whatever was reported about it since. */
  made: boolean;
}

export class MergedWrites {
  readonly #later = new Map<string, MergedWrite>();
  readonly #kept = new Map<SourceChange, MergedWrite>();

  /** True for the last write to its object; an earlier one only tells who wrote. */
  add(change: SourceChange): boolean {
    const name = `${change.collection} ${change.key}`;
    const merged = this.#later.get(name);
    if (merged === undefined) {
      const last: MergedWrite = {last: change, writer: change.writer, made: change.event !== 'update'};
      this.#later.set(name, last);
      this.#kept.set(change, last);
      return true;
    }
    if (merged.made) return false;
    merged.made = change.event !== 'update';
    // Named for all of it, the kubelet that reported last would have changed somebody's label.
    if (change.event === 'add') merged.writer = change.writer;
    else if (merged.writer?.manager !== change.writer?.manager) merged.writer = undefined;
    return false;
  }

  /** Writes before this are not merged with those after it: of one source, or of all. */
  startNewGroup(source?: string): void {
    if (source === undefined) this.#later.clear();
    else
      for (const name of [...this.#later.keys()]) if (name.startsWith(`${source} `)) this.#later.delete(name);
  }

  /** A last write as it goes out. */
  withWriter(change: SourceChange): SourceChange {
    const merged = this.#kept.get(change);
    if (merged === undefined || merged.writer === change.writer) return change;
    const {writer: _, ...rest} = change;
    return merged.writer === undefined ? rest : {...rest, writer: merged.writer};
  }

  has(change: SourceChange): boolean {
    return this.#kept.has(change);
  }
}
