// The last answer to every question, whatever its moment: the next moment's is compared with it.
import {shareStructure} from './structural-sharing.ts';

/** Questions whose last answer is kept. */
const MOST = 32;

export class LastAnswers {
  /** The one asked longest ago first. */
  readonly #answers = new Map<string, unknown>();

  /** The answer with all that it has in common with the last one as the same objects. */
  share<T>(question: object, answer: T): T {
    return shareStructure(this.#answers.get(withoutMoment(question)), answer);
  }

  set(question: object, answer: unknown): void {
    const about = withoutMoment(question);
    this.#answers.delete(about);
    this.#answers.set(about, answer);
    if (this.#answers.size > MOST) this.#answers.delete(this.#answers.keys().next().value as string);
  }

  clear(): void {
    this.#answers.clear();
  }
}

/** What is asked, without the moment. */
function withoutMoment(question: object): string {
  return JSON.stringify({...question, at: undefined});
}
