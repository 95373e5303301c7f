// Reads a log as it arrives, in pieces that may end inside a line, and counts its lines.
import {StringDecoder} from 'node:string_decoder';
import {parseLogLine} from './log-line.ts';
import {type LogBatch, RunAssembler, type RunAssemblerOptions} from './run-assembler.ts';

/** Longer lines are counted as unread. */
const MAX_LINE_CHARACTERS = 1024 * 1024;

export interface LogCounts {
  lines: number;
  /** Lines of krt's debug scope. */
  krt: number;
  unread: number;
  /** The first unread lines, to show them. */
  samples: readonly string[];
}

const MAX_SAMPLES = 5;
const CARRIAGE_RETURN = 13;

export class LogStream {
  readonly #assembler: RunAssembler;
  #decoder = new StringDecoder('utf8');
  #rest = '';
  /** The rest of a line that is too long is skipped. */
  #isSkipping = false;
  readonly #counts = {lines: 0, krt: 0, unread: 0, samples: [] as string[]};

  constructor(options: RunAssemblerOptions = {}) {
    this.#assembler = new RunAssembler(options);
  }

  get counts(): LogCounts {
    return this.#counts;
  }

  /** The number of the last line that told something about runs. */
  get line(): number {
    return this.#assembler.line;
  }

  get dropped(): number {
    return this.#assembler.dropped;
  }

  write(piece: Uint8Array): void {
    this.writeText(this.#decoder.write(piece as Buffer));
  }

  writeText(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (this.#isSkipping) this.#isSkipping = false;
      else if (this.#rest === '') this.#line(text, start, end);
      else this.#lineOf(this.#rest + text.slice(start, end));
      this.#rest = '';
      start = end + 1;
    }
    if (start < text.length && !this.#isSkipping) this.#rest += text.slice(start);
    if (this.#rest.length <= MAX_LINE_CHARACTERS) return;
    this.#unread(this.#rest);
    this.#rest = '';
    this.#isSkipping = true;
  }

  /** Whether the last line has no end yet. */
  get hasRest(): boolean {
    return this.#rest !== '';
  }

  /** Nothing follows, or another file begins: the rest is a line of its own. */
  endFile(): void {
    const rest = this.#rest + this.#decoder.end();
    this.#decoder = new StringDecoder('utf8');
    this.#rest = '';
    this.#isSkipping = false;
    if (rest !== '') this.#lineOf(rest);
  }

  /** What the owners did so far. `keepOpenAfter` is a line number: owners with later lines may not be done yet. */
  take(keepOpenAfter?: number): LogBatch[] {
    return this.#assembler.take(keepOpenAfter);
  }

  #lineOf(line: string): void {
    this.#line(line, 0, line.length);
  }

  /** The line from `start` to `newline`. */
  #line(text: string, start: number, newline: number): void {
    const end = text.charCodeAt(newline - 1) === CARRIAGE_RETURN ? newline - 1 : newline;
    if (end <= start) return;
    const parsed = parseLogLine(text, start, end);
    if (parsed === 'unread') this.#unread(text.slice(start, end));
    else {
      this.#counts.lines += 1;
      if (parsed === 'other') return;
      this.#counts.krt += 1;
      this.#assembler.add(parsed);
    }
  }

  #unread(line: string): void {
    this.#counts.lines += 1;
    this.#counts.unread += 1;
    if (this.#counts.samples.length < MAX_SAMPLES) this.#counts.samples.push(line.slice(0, 300));
  }
}
