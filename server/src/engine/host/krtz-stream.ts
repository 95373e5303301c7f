// The debug document for those who read it: piece by piece, and the next one only when the last has been taken. So
// nobody waits for it, and a reader that is slow fills no memory.
import {CommandRefused} from './failures.ts';

/** Milliseconds and characters of one piece: within a frame there is time for the rest. */
const PIECE_MS = 10;
const PIECE_CHARACTERS = 1 << 18;
/** Those who went away without a word are let go when so many others have come. */
const MAX_STREAMS = 16;

export class KrtzStreams {
  readonly #texts = new Map<number, Iterator<string>>();

  /** `begin` makes the text of one who has had no piece yet. */
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
