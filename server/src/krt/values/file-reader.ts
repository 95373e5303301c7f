// How the engine reaches files: the program that makes the engine gives it a reader.

export interface FileReader {
  /** Paths of the regular files under a folder, its subfolders included. */
  list(root: string): readonly string[];
  read(path: string): string;
  /** Calls `f` when the file, or anything under the folder, may have changed; returns its unwatch. */
  watch(path: string, f: () => void): () => void;
}
