// The moment between a new process that answers and its recording given back: questions about the past wait for it.
// Answered at once they would say that nothing happened before the restart.
import {facetsOf, type Question} from '@krtscope/shared/questions.ts';

/** Whether the answer is told from the recording; what is shown of the present never waits. */
export function readsPast(question: Question): boolean {
  return facetsOf(question.ask).past === true || ('at' in question && question.at !== undefined);
}

export class RestoreGate {
  /** Settles when the past can be read, or when there will be none to read: the question then says why. */
  done: Promise<void> | undefined;
  #resolve: () => void = () => {};

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
