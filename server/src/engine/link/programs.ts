// The interface between stream/ and programs that report: a channel for each, and a receiver of its messages.
import type {ToProgram} from '@krtscope/shared/programs/program.ts';

export interface ProgramChannel {
  say(message: ToProgram): void;
  /** One of `programCloses`. */
  close(code: number, reason: string): void;
  /** Stops reading until `resume`. The program keeps further messages, or drops them and reports it. */
  pause(): void;
  resume(): void;
}

export interface ProgramReceiver {
  /** One message, as JSON text. */
  take(text: string): void;
  /** The channel is closed. */
  gone(): void;
}

export interface Programs {
  receive(channel: ProgramChannel): ProgramReceiver;
}
