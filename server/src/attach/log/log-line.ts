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

/** Parses `text` from `start` to `end`. A line is not copied out of its text: copies would cost more than the rest. */
export function parseLogLine(text: string, start = 0, end = text.length): LogLine {
  if (text.startsWith(KRT_DEBUG, start + TIME_LENGTH))
    return parseKrtMessage(text, start, start + TIME_LENGTH, end);
  // The kubelet puts its own time before each line.
  const line = text.slice(start, end);
  const time = timeStartOf(line);
  const tab = line.indexOf('\t', time);
  const isLog = tab > time + 10 && line.charCodeAt(time) <= 57 && line.indexOf('\t', tab + 1) > 0;
  if (!isLog) return 'unread';
  if (!line.startsWith(KRT_DEBUG, tab)) return 'other';
  return parseKrtMessage(line, time, tab, line.length);
}

function timeStartOf(line: string): number {
  const space = line.indexOf(' ');
  if (space < 20 || space > 40 || line.charCodeAt(10) !== 84) return 0;
  const tab = line.indexOf('\t');
  return tab > space && line.charCodeAt(space + 11) === 84 ? space + 1 : 0;
}

/** The time is from `start` to `timeEnd`, the line ends at `end`. */
function parseKrtMessage(text: string, start: number, timeEnd: number, end: number): LogLine {
  const at = timeEnd + KRT_DEBUG.length;
  switch (text.charCodeAt(at)) {
    case 70: // Fetch
      return parseFetch(text, text.slice(start, timeEnd), at, end) ?? 'unread';
    case 101: // event size
      return parseEvent(text, text.slice(start, timeEnd), at, end) ?? 'unread';
    case 104: // handled
      return parseHandled(text, text.slice(start, timeEnd), at, end) ?? 'unread';
    case 99: // calling handlers
      return parsePublished(text, text.slice(start, timeEnd), at, end) ?? 'unread';
    case 110: // no match
      if (text.startsWith('no match ', at)) return DETAIL;
      break;
  }
  return DETAIL_MESSAGES.some(message => text.startsWith(message, at)) ? DETAIL : 'unread';
}

const DETAIL_MESSAGES = [
  'register new dependency\t',
  'sync complete\t',
  'no synchronous handler',
  'skip handled',
];

/** `Fetch⇥parent=C{INPUT} fetch=D filter={…} size=1` */
function parseFetch(text: string, time: string, at: number, end: number): KrtLine | undefined {
  const HEAD = 'Fetch\tparent=';
  if (!text.startsWith(HEAD, at)) return undefined;
  const owner = at + HEAD.length;
  const brace = text.indexOf('{', owner);
  const fetch = text.indexOf('} fetch=', brace);
  const filter = text.indexOf(' filter={', fetch);
  const size = sizeStartOf(text, filter, end);
  if (brace < 0 || fetch < 0 || filter < 0 || size < filter) return undefined;
  return {
    kind: 'fetch',
    time,
    owner: text.slice(owner, brace),
    input: text.slice(brace + 1, fetch),
    collection: text.slice(fetch + 8, filter),
    filter: text.slice(filter + 9, size),
    matched: numberAt(text, size + 7, end),
  };
}

/** The start of `} size=12` at the end of a line; -1 without one after `from`. */
function sizeStartOf(text: string, from: number, end: number): number {
  let at = end - 1;
  while (at > from && text.charCodeAt(at) !== 125) at -= 1;
  return text.startsWith('} size=', at) ? at : -1;
}

/** `event size 1, impacts [shop/cart] objects⇥owner=C` */
function parseEvent(text: string, time: string, at: number, end: number): KrtLine | undefined {
  const HEAD = 'event size ';
  const impacts = text.indexOf(' impacts [', at);
  const last = text.lastIndexOf('] objects\towner=', end);
  if (!text.startsWith(HEAD, at) || impacts < 0 || last < impacts) return undefined;
  return {
    kind: 'event',
    time,
    owner: text.slice(last + 16, end),
    size: numberAt(text, at + HEAD.length, end),
    impacts: text.slice(impacts + 10, last),
  };
}

/** `handled⇥owner=C res=KEY type=add|update`, `handled delete⇥owner=C res=KEY` */
function parseHandled(text: string, time: string, at: number, end: number): KrtLine | undefined {
  const isDelete = text.startsWith('handled delete\towner=', at);
  if (!isDelete && !text.startsWith('handled\towner=', at)) return undefined;
  const owner = at + (isDelete ? 21 : 14);
  const key = text.indexOf(' res=', owner);
  if (key < 0 || key > end) return undefined;
  const type = isDelete ? end : text.lastIndexOf(' type=', end);
  if (type < key) return undefined;
  const change = isDelete ? 'deleted' : outcomes[text.slice(type + 6, end)];
  if (change === undefined) return undefined;
  return {kind: 'handled', time, owner: text.slice(owner, key), key: text.slice(key + 5, type), change};
}

const outcomes: Readonly<Record<string, OutputChange | undefined>> = {
  __proto__: null as never,
  add: 'added',
  update: 'changed',
  delete: 'deleted',
};

/** `calling handlers⇥owner=C events=1` */
function parsePublished(text: string, time: string, at: number, end: number): KrtLine | undefined {
  const HEAD = 'calling handlers\towner=';
  const events = text.lastIndexOf(' events=', end);
  if (!text.startsWith(HEAD, at) || events < at + HEAD.length) return undefined;
  return {
    kind: 'published',
    time,
    owner: text.slice(at + HEAD.length, events),
    events: numberAt(text, events + 8, end),
  };
}

function numberAt(text: string, at: number, end: number): number {
  let number = 0;
  for (let i = at; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  return number;
}

/** The day of the last line. Most lines of a log share theirs with the line before. */
const lastDay = {text: '', milliseconds: Number.NaN};
const DAY_LENGTH = 10;

/** Milliseconds since 1970 with microseconds as fractions; NaN for a text that is not a time. */
export function timeOfLine(time: string): number {
  if (time.length !== TIME_LENGTH || time.charCodeAt(TIME_LENGTH - 1) !== 90) return Date.parse(time);
  const hours = twoDigitsAt(time, 11);
  const minutes = twoDigitsAt(time, 14);
  const seconds = twoDigitsAt(time, 17);
  if (!isLastDay(time)) {
    lastDay.text = time.slice(0, DAY_LENGTH);
    lastDay.milliseconds = Date.parse(`${lastDay.text}T00:00:00Z`);
  }
  const micros = numberAt(time, 20, TIME_LENGTH);
  return lastDay.milliseconds + (hours * 3600 + minutes * 60 + seconds) * 1000 + micros / 1000;
}

/** By characters: a compare of strings takes longer than the rest. */
function isLastDay(time: string): boolean {
  const {text} = lastDay;
  for (let at = DAY_LENGTH - 1; at >= 0; at--) if (time.charCodeAt(at) !== text.charCodeAt(at)) return false;
  return true;
}

function twoDigitsAt(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}
