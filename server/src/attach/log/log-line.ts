// Parses one line of istiod's text log. Fields are separated by tabs: time, level, scope, message, `key=value` pairs.
// Values are cut out of the line and never copied, because a busy istiod writes thousands of lines a second.

export type OutputChange = 'added' | 'changed' | 'deleted';

/** A line of krt's debug scope. `time` is the text of its first field. */
export type KrtLine =
  /** A change of a fetched collection makes these inputs of the owner run. */
  | {kind: 'event'; time: string; owner: string; size: number; impacts: string}
  /** One fetch of one run. `filter` is the text between the braces. */
  | {
      kind: 'fetch';
      time: string;
      owner: string;
      input: string;
      collection: string;
      filter: string;
      matched: number;
    }
  /** One output of the owner changed. */
  | {kind: 'handled'; time: string; owner: string; key: string; change: OutputChange}
  /** The owner's changes go to its listeners. */
  | {kind: 'published'; time: string; owner: string; events: number}
  /** Known lines that say nothing about runs. */
  | {kind: 'detail'};

/** `other`: a line of another scope. `unread`: a line of an unknown form. */
export type LogLine = KrtLine | 'other' | 'unread';

const KRT_DEBUG = '\tdebug\tkrt\t';
/** The length of `2026-11-17T18:01:06.395953Z`. */
const TIME_LENGTH = 27;
const DETAIL: KrtLine = {kind: 'detail'};

export function parseLogLine(line: string): LogLine {
  if (line.startsWith(KRT_DEBUG, TIME_LENGTH))
    return parseKrtMessage(line, line.slice(0, TIME_LENGTH), TIME_LENGTH + KRT_DEBUG.length);
  // The kubelet puts its own time before each line.
  const start = timeStartOf(line);
  const tab = line.indexOf('\t', start);
  const isLog = tab > start + 10 && line.charCodeAt(start) <= 57 && line.indexOf('\t', tab + 1) > 0;
  if (!isLog) return 'unread';
  if (!line.startsWith(KRT_DEBUG, tab)) return 'other';
  return parseKrtMessage(line, line.slice(start, tab), tab + KRT_DEBUG.length);
}

function timeStartOf(line: string): number {
  const space = line.indexOf(' ');
  if (space < 20 || space > 40 || line.charCodeAt(10) !== 84) return 0;
  const tab = line.indexOf('\t');
  return tab > space && line.charCodeAt(space + 11) === 84 ? space + 1 : 0;
}

function parseKrtMessage(line: string, time: string, at: number): LogLine {
  switch (line.charCodeAt(at)) {
    case 70: // Fetch
      return parseFetch(line, time, at) ?? 'unread';
    case 101: // event size
      return parseEvent(line, time, at) ?? 'unread';
    case 104: // handled
      return parseHandled(line, time, at) ?? 'unread';
    case 99: // calling handlers
      return parsePublished(line, time, at) ?? 'unread';
    case 110: // no match
      if (line.startsWith('no match ', at)) return DETAIL;
      break;
  }
  return DETAIL_MESSAGES.some(message => line.startsWith(message, at)) ? DETAIL : 'unread';
}

const DETAIL_MESSAGES = [
  'register new dependency\t',
  'sync complete\t',
  'no synchronous handler',
  'skip handled',
];

/** `Fetch⇥parent=C{INPUT} fetch=D filter={…} size=1` */
function parseFetch(line: string, time: string, at: number): KrtLine | undefined {
  const HEAD = 'Fetch\tparent=';
  if (!line.startsWith(HEAD, at)) return undefined;
  const owner = at + HEAD.length;
  const brace = line.indexOf('{', owner);
  const fetch = line.indexOf('} fetch=', brace);
  const filter = line.indexOf(' filter={', fetch);
  const size = sizeStartOf(line);
  if (brace < 0 || fetch < 0 || filter < 0 || size < filter) return undefined;
  return {
    kind: 'fetch',
    time,
    owner: line.slice(owner, brace),
    input: line.slice(brace + 1, fetch),
    collection: line.slice(fetch + 8, filter),
    filter: line.slice(filter + 9, size),
    matched: numberAt(line, size + 7),
  };
}

/** The start of `} size=12` at the end of a line. */
function sizeStartOf(line: string): number {
  let at = line.length - 1;
  while (at > 0 && line.charCodeAt(at) !== 125) at -= 1;
  return line.startsWith('} size=', at) ? at : -1;
}

/** `event size 1, impacts [shop/cart] objects⇥owner=C` */
function parseEvent(line: string, time: string, at: number): KrtLine | undefined {
  const HEAD = 'event size ';
  const impacts = line.indexOf(' impacts [', at);
  const end = line.lastIndexOf('] objects\towner=');
  if (!line.startsWith(HEAD, at) || impacts < 0 || end < impacts) return undefined;
  return {
    kind: 'event',
    time,
    owner: line.slice(end + 16),
    size: numberAt(line, at + HEAD.length),
    impacts: line.slice(impacts + 10, end),
  };
}

/** `handled⇥owner=C res=KEY type=add|update`, `handled delete⇥owner=C res=KEY` */
function parseHandled(line: string, time: string, at: number): KrtLine | undefined {
  const isDelete = line.startsWith('handled delete\towner=', at);
  const owner = at + (isDelete ? 21 : 14);
  const key = line.indexOf(' res=', owner);
  if (key < 0 || (!isDelete && !line.startsWith('handled\towner=', at))) return undefined;
  const end = isDelete ? line.length : line.lastIndexOf(' type=');
  if (end < key) return undefined;
  const type = isDelete ? 'delete' : line.slice(end + 6);
  const change =
    type === 'add' ? 'added' : type === 'update' ? 'changed' : type === 'delete' ? 'deleted' : undefined;
  if (change === undefined) return undefined;
  return {kind: 'handled', time, owner: line.slice(owner, key), key: line.slice(key + 5, end), change};
}

/** `calling handlers⇥owner=C events=1` */
function parsePublished(line: string, time: string, at: number): KrtLine | undefined {
  const HEAD = 'calling handlers\towner=';
  const events = line.lastIndexOf(' events=');
  if (!line.startsWith(HEAD, at) || events < at + HEAD.length) return undefined;
  return {
    kind: 'published',
    time,
    owner: line.slice(at + HEAD.length, events),
    events: numberAt(line, events + 8),
  };
}

function numberAt(line: string, at: number): number {
  let number = 0;
  for (let i = at; i < line.length; i++) {
    const digit = line.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  return number;
}

/** The second of the last line. Most lines of a busy log share theirs with the line before. */
const lastSecond = {text: '', milliseconds: Number.NaN};
const SECOND_LENGTH = 19;

/** Milliseconds since 1970 with microseconds as fractions; NaN for a text that is not a time. */
export function timeOfLine(time: string): number {
  if (time.length !== TIME_LENGTH || time.charCodeAt(TIME_LENGTH - 1) !== 90) return Date.parse(time);
  if (lastSecond.text === '' || !time.startsWith(lastSecond.text)) {
    lastSecond.text = time.slice(0, SECOND_LENGTH);
    lastSecond.milliseconds = Date.parse(`${lastSecond.text}Z`);
  }
  return lastSecond.milliseconds + numberAt(time, SECOND_LENGTH + 1) / 1000;
}
