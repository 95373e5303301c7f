// Holds questions about the past until a new process has its recording back. An earlier answer would say that nothing
// happened before the restart.
import {facetsOf, type Question} from '@krtscope/shared/questions.ts';

/** Whether the answer comes from the recording. Questions about the present never wait. */
export function readsPast(question: Question): boolean {
  return facetsOf(question.ask).past === true || ('at' in question && question.at !== undefined);
}

export class RestoreGate {
  /** Settles when the past can be read, or when it is lost: the question then gets the reason. */
  done: Promise<void> | undefined;
  #resolve: () => void = () => {};

  /** Also waits for a restore that begins while this one ends. */
  async wait(): Promise<void> {
    while (this.done !== undefined) await this.done;
  }

  begin(): void {
    this.end();
    this.done = new Promise(resolve => {
      this.#resolve = resolve;
    });
  }

  end(): void {
    this.#resolve();
    this.done = undefined;
  }
}
