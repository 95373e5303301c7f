// Receives the messages of a program that has only controllers, for a session with its own graph.
// The demo's cluster process reports its controllers this way.
import {PROGRAM_PROTOCOL, type ToProgram} from '@krtscope/shared/programs/program.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import type {Telemetry} from '../../telemetry/telemetry.ts';
import {ControllerTracker} from './controller-tracker.ts';
import {parseMessage} from './parse-message.ts';

export interface ControllerReceiverOptions {
  engine: Pick<EngineHandle, 'apply' | 'gap' | 'sequence'>;
  /** The session of the controllers, and the program's name in it. */
  session: string;
  program: string;
  /** Sends a message to the program. */
  say(message: ToProgram): void;
  /** Absent unless an exporter is on. */
  telemetry?: Telemetry | undefined;
}

export class ControllerReceiver {
  readonly #options: ControllerReceiverOptions;
  readonly #tracker: ControllerTracker;

  constructor(options: ControllerReceiverOptions) {
    this.#options = options;
    this.#tracker = new ControllerTracker(options.program);
  }

  /** Handles one message of the program, as JSON text. */
  take(text: string): void {
    const {engine, session, program, say} = this.#options;
    const parsed = parseMessage(text);
    if ('refusal' in parsed) return say({type: 'refused', ...parsed.refusal});
    const {message} = parsed;
    switch (message.type) {
      case 'hello':
        return say({type: 'welcome', protocol: PROGRAM_PROTOCOL, session});
      case 'controllers':
      case 'queue':
      case 'facts':
        if (message.type === 'facts') this.#options.telemetry?.takeFacts(program, message.facts);
        return engine.apply(this.#tracker.take(message));
      case 'gap': {
        const {from, to, text: why} = message;
        return engine.gap({kind: 'program', from, to, sequence: engine.sequence, text: why});
      }
      default:
        // Ignore collections: the session has its own graph.
        return;
    }
  }

  /** Marks the program as disconnected. */
  disconnect(): void {
    this.#options.engine.apply(this.#tracker.markAway());
  }
}
