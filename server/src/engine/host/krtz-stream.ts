// Streams the debug document in pieces and makes the next piece when a reader asks for it. Other work runs in
// between, and a slow reader uses no memory.
import {CommandRefused} from './failures.ts';

/** Milliseconds and characters of one piece. Other work of the frame still has time. */
const PIECE_MS = 10;
const PIECE_CHARACTERS = 1 << 18;
/** Readers that left silently are dropped after so many new ones. */
const MAX_STREAMS = 16;

export class KrtzStreams {
  readonly #texts = new Map<number, Iterator<string>>();

  /** `begin` makes the document for a reader's first piece. */
  next(reader: number, pieces: number, begin: () => Iterable<string>): string | null {
    const texts = this.#texts.get(reader) ?? this.#begin(reader, pieces, begin);
    const end = performance.now() + PIECE_MS;
    let piece = '';
    for (let count = 1; piece.length < PIECE_CHARACTERS; count++) {
      const {value, done} = texts.next();
      if (done) return piece === '' ? null : piece;
      piece += value;
      if (count % 16 === 0 && performance.now() > end) break;
    }
    return piece;
  }

  end(reader: number): void {
    this.#texts.delete(reader);
  }

  #begin(reader: number, pieces: number, begin: () => Iterable<string>): Iterator<string> {
    if (pieces > 0)
      throw new CommandRefused({
        code: 'engine-restarting',
        message: 'the document was cut off: the engine process has restarted',
        hint: 'ask again',
      });
    const texts = begin()[Symbol.iterator]();
    this.#texts.set(reader, texts);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_STREAMS && oldest !== undefined) this.#texts.delete(oldest);
    return texts;
  }
}
