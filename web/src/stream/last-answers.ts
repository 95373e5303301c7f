// The last answer to every query at any moment, to share its unchanged objects with the next moment's answer.
import {shareStructure} from './structural-sharing.ts';

/** Number of queries whose last answer is kept. */
const MOST = 32;

export class LastAnswers {
  /** The oldest query first. */
  readonly #answers = new Map<string, unknown>();

  /** The answer, with everything it has in common with the last one as the same objects. */
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

/** The query without its moment. */
function withoutMoment(question: object): string {
  return JSON.stringify({...question, at: undefined});
}
