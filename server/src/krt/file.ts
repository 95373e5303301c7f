// Files as collections, through a reader that is given: the engine itself reads no disk.

export interface FileReader {
  /** Paths of the regular files under a folder, its subfolders included. */
  list(root: string): readonly string[];
  read(path: string): string;
  /** Calls `f` when the file, or anything under the folder, may have changed; returns its unwatch. */
  watch(path: string, f: () => void): () => void;
}
