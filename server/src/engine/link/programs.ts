// What stream/ knows of programs that report: each has a channel, and somebody who takes what it says.
import type {ToProgram} from '@krtscope/shared/programs/program.ts';

export interface ProgramChannel {
  say(message: ToProgram): void;
  /** One of `programCloses`. */
  close(code: number, reason: string): void;
  /** Nothing more is read until `resume`: the program keeps the rest, or drops it and says so. */
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
