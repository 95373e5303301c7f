// Shortens stack traces in processes that run formulas. A formula that throws can read its stack.
// The stack must not reveal the folder of krtscope or the user's name. Line numbers and file names stay.

const ROOT = new URL('../../../../', import.meta.url).href;
/** Folders of other packages. */
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
    // The error's name or message may be a getter of user code.
    return 'Error';
  }
}
