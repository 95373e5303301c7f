// Takes the messages of a program that has controllers only, over any channel, into a session with a graph of its own:
// the demo's cluster process tells of its controllers this way.
import {PROGRAM_PROTOCOL, type ToProgram} from '@krtscope/shared/program.ts';
import type {Engine} from '../../engine/link/link.ts';
import {ControllerBooks} from './controller-books.ts';
import {parseMessage} from './parse-message.ts';

export interface ControllerDeskOptions {
  engine: Pick<Engine, 'apply' | 'gap' | 'sequence'>;
  /** The session that the controllers appear in, and the program's name there. */
  session: string;
  program: string;
  /** To the program. */
  say(message: ToProgram): void;
}

export class ControllerDesk {
  readonly #options: ControllerDeskOptions;
  readonly #books: ControllerBooks;

  constructor(options: ControllerDeskOptions) {
    this.#options = options;
    this.#books = new ControllerBooks(options.program);
  }

  /** One message of the program, as JSON text. */
  take(text: string): void {
    const {engine, session, say} = this.#options;
    const parsed = parseMessage(text);
    if ('refusal' in parsed) return say({type: 'refused', ...parsed.refusal});
    const {message} = parsed;
    switch (message.type) {
      case 'hello':
        return say({type: 'welcome', protocol: PROGRAM_PROTOCOL, session});
      case 'controllers':
      case 'queue':
      case 'facts':
        return engine.apply(this.#books.take(message));
      case 'gap': {
        const {from, to, text: why} = message;
        return engine.gap({kind: 'program', from, to, sequence: engine.sequence, text: why});
      }
      default:
        // Collections of its own have no place in a session that has a graph.
        return;
    }
  }

  /** It is not heard any more. */
  gone(): void {
    this.#options.engine.apply(this.#books.away());
  }
}
