// What a stack says of a frame, in a process that runs formulas: anybody who can throw can read it, and where krtscope lies
// on the disk, with the name of who runs it, is none of a formula's business. Lines and the names of files stay.

const ROOT = new URL('../../../../', import.meta.url).href;
/** Folders of what is not ours: of the packages beside it. */
const FOLDERS = /(^|[\s(])(?:file:\/\/)?\/(?:[^\s()/]+\/)+/g;

export function shortenStackTraces(): void {
  Error.prepareStackTrace = (error, sites) => {
    const frames = sites.map(
      site => `\n    at ${String(site).replaceAll(ROOT, 'krtscope/').replace(FOLDERS, '$1')}`,
    );
    return `${headOf(error)}${frames.join('')}`;
  };
}

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    // Its name, or its words, are somebody's who throws.
    return 'Error';
  }
}
