// Answers questions about the process itself: its row feed, its formulas, its retained history and its metrics.
import type {Question} from '@krtscope/shared/questions.ts';
import {Unanswerable} from '../../explain/records.ts';
import type {HostState} from './host-state.ts';
import {RowFeeds} from './live-graph/row-feed.ts';
import {metricsOf, OutcomeCounts} from './metrics.ts';

export class ProcessQueries {
  readonly counts = new OutcomeCounts();
  #feeds: RowFeeds | undefined;

  /** All other questions go to the question answers of the state. */
  answer(state: HostState, question: Question): unknown {
    switch (question.ask) {
      case 'rows':
        return this.#rowsOf(state, question);
      case 'formulas':
        return {
          formulas: state.history.collections.formulas(question.at).map(({compiled: _, ...order}) => order),
          modules: state.history.collections.modules(question.at),
        };
      case 'kept':
        return state.records.kept();
      case 'metrics':
        return metricsOf(state.records, this.counts);
      default:
        return state.answers.answer(question);
    }
  }

  /** A file's rows are listed like any other question; only a running graph has changes to follow. */
  #rowsOf({live}: HostState, {collection, since, next}: Extract<Question, {ask: 'rows'}>): unknown {
    if (live === undefined) throw new Unanswerable('bad-query', 'a recording has no feed', 'list its items');
    this.#feeds ??= new RowFeeds(live.engine);
    const answer = this.#feeds.answer(collection, since, next);
    if (answer !== undefined) return answer;
    throw new Unanswerable(
      'unknown-collection',
      `there is no collection "${collection}"`,
      'GET /api/v1/graph lists them',
    );
  }
}
