// Finds krtz documents and logs in files: single ones, several in order, or an istio bug report.
import {gunzipSync} from 'node:zlib';
import {KRTZ_LIMITS} from '../krtz-request.ts';
import {isTar, isZip, type NamedFile, readTar, readZip} from './archive-entries.ts';

/** What was saved of one program. */
export interface SavedProgram {
  /** The Pod in a bug report, else the name of the first file. */
  name: string;
  /** In order. */
  documents: {name: string; text: string; time?: number | undefined}[];
  /** The bytes of its logs, in order. */
  logs: NamedFile[];
}

const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

export const SAVED_FILES_HINT =
  'open a .krtrec, krtz documents (.json, .json.gz) in order, the log beside them (.log), or an istio bug report (.tgz, .zip)';

/** Whether the name or the first bytes are those of a document, a log or an archive, not of a recording. */
export function isSavedProgramFile({name, bytes}: NamedFile): boolean {
  return /\.(json|json\.gz|log|log\.gz|txt|tgz|tar\.gz|tar|zip)$/i.test(name) || isTar(bytes) || isZip(bytes);
}

/** Throws an error that says which file cannot be used. */
export function readSavedPrograms(files: readonly NamedFile[]): SavedProgram[] {
  const programs = new Map<string, SavedProgram>();
  for (const file of files) {
    const unpacked = unpack(file);
    const entries = isTar(unpacked.bytes)
      ? readTar(unpacked.bytes, isWanted)
      : isZip(unpacked.bytes)
        ? readZip(unpacked.bytes, isWanted)
        : undefined;
    if (entries === undefined) addFile(programs, '', unpacked);
    else for (const entry of entries) addFile(programs, podOf(entry.name), unpack(entry));
  }
  const found = [...programs.values()].filter(({documents}) => documents.length > 0);
  const [first] = files;
  if (found.length === 0)
    throw new Error(
      `${first?.name ?? 'the file'} has no krtz document${programs.size > 0 ? ', only a log' : ''}`,
    );
  return found;
}

function addFile(programs: Map<string, SavedProgram>, pod: string, file: NamedFile): void {
  const isDocument = isDocumentName(file.name) || startsLikeDocument(file.bytes);
  let program = programs.get(pod);
  if (program === undefined) {
    program = {name: pod === '' ? baseOf(file.name) : pod, documents: [], logs: []};
    programs.set(pod, program);
  }
  if (!isDocument) {
    program.logs.push(file);
    return;
  }
  if (file.bytes.length > KRTZ_LIMITS.bytes)
    throw new Error(`${file.name} is larger than ${KRTZ_LIMITS.bytes / 1024 / 1024} MB`);
  if (program.documents.length === 0 && pod === '') program.name = baseOf(file.name);
  const {name, bytes, time} = file;
  program.documents.push({name, text: Buffer.from(bytes).toString('utf8'), time});
}

/** A bug report has hundreds of files. Only krtz documents and logs of the same Pods count. */
function isWanted(name: string): boolean {
  if (isDocumentName(name)) return !/(^|\/)debug\//.test(name) || /(^|\/)debug\/krtz/.test(name);
  return /(^|\/)(discovery|istiod[^/]*|kgateway[^/]*)\.log(\.gz)?$/.test(name) || !/\//.test(name);
}

function isDocumentName(name: string): boolean {
  return /(^|\/)krtz[^/]*$/.test(name) || (/\.json(\.gz)?$/i.test(name) && !/\//.test(name));
}

function startsLikeDocument(bytes: Uint8Array): boolean {
  return /^\s*\[\s*[{\]]/.test(Buffer.from(bytes.subarray(0, 200)).toString('latin1'));
}

/** `istio/NAMESPACE/POD/…` in a bug report. Empty for files without such folders. */
function podOf(name: string): string {
  return /(?:^|\/)istio\/[^/]+\/([^/]+)\//.exec(name)?.[1] ?? '';
}

function unpack(file: NamedFile): NamedFile {
  const {bytes} = file;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return file;
  try {
    return {...file, bytes: gunzipSync(bytes, {maxOutputLength: MAX_UNPACKED_BYTES})};
  } catch (error) {
    throw new Error(`${file.name} cannot be decompressed: ${(error as Error).message}`);
  }
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
