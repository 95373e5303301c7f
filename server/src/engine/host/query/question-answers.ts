// Answers every question about a session's collections, slow ones in slices. process-queries.ts answers the rest.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {SearchAnswer} from '@krtscope/shared/items.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {AnswerCache} from '../../../explain/answer-cache.ts';
import {Checker} from '../../../explain/checks/checks.ts';
import type {CheckContext, CheckSteps, Finding} from '../../../explain/checks/finding.ts';
import {fieldsRead, RerunReader} from '../../../explain/evidence/field-reads.ts';
import {impactSteps} from '../../../explain/impact/field-impact.ts';
import {
  type CheckedMoment,
  type IncidentUpdates,
  updateIncidents,
} from '../../../explain/incidents/incident-tracker.ts';
import {incidentsAnswer} from '../../../explain/incidents/incidents.ts';
import {findOrigin} from '../../../explain/origin/origin.ts';
import {type Records, Unanswerable, type ViewChanges} from '../../../explain/records.ts';
import {explainWhy} from '../../../explain/why/why.ts';
import {explainWhyEmpty} from '../../../explain/why-not/why-empty.ts';
import {explainWhyNot} from '../../../explain/why-not/why-not.ts';
import {runToEnd} from '../../../history/incremental-work.ts';
import type {SliceScheduler} from '../slice-scheduler.ts';
import {attachedFindings} from './attached/attached-findings.ts';
import {
  controllersAnswer,
  requestAnswer,
  requestsAnswer,
  whyReconcileAnswer,
} from './controllers/controller-answers.ts';
import {controllerFindings} from './controllers/controller-findings.ts';
import {ColumnFieldFinder} from './graph/column-fields.ts';
import {EdgeFilterReader} from './graph/edge-filters.ts';
import {type GraphParts, graphAnswer, LastActivity} from './graph/graph-answer.ts';
import {statsAnswer} from './graph/overview-stats.ts';
import {RunRates} from './graph/run-rates.ts';
import {timelineAnswer, traceAnswer} from './graph/timeline.ts';
import {momentOf} from './items/item.ts';
import {itemDetailOf} from './items/item-detail.ts';
import {listItems, listSteps} from './items/item-list.ts';
import {diffAnswer, diffSteps} from './items/moment-diff.ts';
import {digestSteps, valuesOf} from './items/row-digests.ts';
import {searchAnswer, searchSteps} from './items/search.ts';
import {ViewCache} from './sheet/view-cache.ts';

/** Findings about something else than collections of krtscope's own engine. */
function* otherFindings(context: CheckContext): CheckSteps<Finding[]> {
  const controllers = yield* controllerFindings(context);
  return [...controllers, ...attachedFindings(context)];
}

export class QuestionAnswers {
  readonly #records: Records;
  readonly #parts: GraphParts;
  readonly #reader: RerunReader;
  readonly #checker: Checker;
  readonly #searches: AnswerCache<SearchAnswer>;
  readonly #views: ViewCache;

  /** `refresh` calls `markChanged`. It runs before a view that was filled in slices is read. */
  constructor(records: Records, refresh: () => void = () => {}) {
    this.#records = records;
    this.#reader = new RerunReader(records);
    this.#checker = new Checker(records, otherFindings);
    this.#searches = new AnswerCache(records);
    this.#parts = {
      records,
      meter: new RunRates(),
      fields: new ColumnFieldFinder(records),
      edges: new EdgeFilterReader(records),
      last: new LastActivity(),
    };
    const reads = (collections: readonly string[]) => this.#reads(collections);
    this.#views = new ViewCache({records, fields: this.#parts.fields, reads, refresh});
  }

  /** Call it after every settled batch, or once for several with all their changes. */
  markChanged(changes: ViewChanges): void {
    this.#parts.last.update(this.#records, changes);
    this.#views.markChanged(changes);
  }

  /** The history was replaced (a restart, an opened file): all caches are invalid. */
  reset(): void {
    this.#views.clear();
    this.#searches.clear();
    this.#reader.reset();
  }

  /** Answers slow questions in slices. Returns false for all other questions. */
  answerInSlices(
    question: Question,
    slices: SliceScheduler,
    done: (answer: unknown) => void,
    failed: (error: unknown) => void,
  ): boolean {
    try {
      return this.#later(question, slices, done, failed);
    } catch (error) {
      // Report rolled-off moments and bad filters like any other query error.
      failed(error);
      return true;
    }
  }

  #later(
    question: Question,
    slices: SliceScheduler,
    done: (answer: unknown) => void,
    failed: (error: unknown) => void,
  ): boolean {
    if (question.ask === 'window' || question.ask === 'sheet')
      return this.#views.answerInSlices(question, slices, done, failed);
    if (question.ask === 'search') this.#search(question, slices, done, failed);
    else if (question.ask === 'checks') this.#checks(question.at, slices, done, failed);
    else if (question.ask === 'items') slices.run(listSteps(this.#records, question), done, failed);
    else if (question.ask === 'diff')
      slices.run(diffSteps(this.#records, question.from, question.to), done, failed);
    else if (question.ask === 'row-digests')
      slices.run(digestSteps(this.#records, question.at), done, failed);
    else if (question.ask === 'impact')
      slices.run(impactSteps(this.#records, this.#reader, this.#moment(question)), done, failed);
    else return false;
    return true;
  }

  #checks(
    asked: number | undefined,
    slices: SliceScheduler,
    done: (answer: unknown) => void,
    failed: (error: unknown) => void,
  ): void {
    const at = momentOf(this.#records, asked);
    if (at !== undefined) {
      slices.run(this.#checker.steps(at), done, failed);
      return;
    }
    const cached = this.#checker.cached();
    if (cached !== undefined) {
      done(cached);
      return;
    }
    const made = (answer: Checks, took: number): void => {
      this.#checker.store(answer, took);
      done(answer);
    };
    slices.run(this.#checker.steps(), made, failed);
  }

  /** The checks in steps, for the incident monitor. */
  findingSteps(now: number): CheckSteps<Checks> {
    return this.#checker.steps(this.#records.newest(), now);
  }

  /** The changes that these findings make to the incidents. */
  updateIncidents(checks: Checks, moment: CheckedMoment): IncidentUpdates {
    return updateIncidents(this.#reader, this.#records.incidents(), checks.checks, moment);
  }

  /** A slow search is cached for a while. */
  #search(
    question: Question & {ask: 'search'},
    slices: SliceScheduler,
    done: (answer: SearchAnswer) => void,
    failed: (error: unknown) => void,
  ): void {
    const id = JSON.stringify(question);
    const cached = this.#searches.cached(id);
    if (cached !== undefined) {
      done(cached);
      return;
    }
    const steps = searchSteps(this.#records, question.q, question.limit, question.at);
    const made = (answer: SearchAnswer, took: number): void => {
      this.#searches.store(id, answer, took);
      done(answer);
    };
    slices.run(steps, made, failed);
  }

  /** Throws RolledOff or Unanswerable; any other error is a defect. */
  answer(question: Question): unknown {
    const records = this.#records;
    switch (question.ask) {
      case 'graph':
        return graphAnswer(this.#parts, question.at);
      case 'items':
        return listItems(records, question);
      case 'window':
      case 'sheet':
        return this.#views.answer(question);
      case 'item':
        return itemDetailOf(records, this.#reader, question);
      case 'why':
        return explainWhy(records, this.#reader, this.#moment(question));
      case 'origin':
        return findOrigin(records, this.#reader, this.#moment(question));
      case 'why-not':
        return explainWhyNot(records, this.#reader, this.#moment(question));
      case 'why-empty':
        return explainWhyEmpty(records, this.#reader, this.#moment(question));
      case 'fields':
        return fieldsRead(records, this.#reader, this.#moment(question));
      case 'impact':
        return runToEnd(impactSteps(records, this.#reader, this.#moment(question)));
      case 'checks':
        return this.#checker.answer(momentOf(records, question.at));
      case 'incidents':
        return incidentsAnswer(records, this.#moment(question));
      case 'search':
        return this.#searches.answer(JSON.stringify(question), () =>
          searchAnswer(records, question.q, question.limit, question.at),
        );
      case 'timeline':
        return timelineAnswer(records, question);
      case 'trace':
        return traceAnswer(records, question);
      case 'stats':
        return statsAnswer(records, this.#parts.meter, question.at);
      case 'controllers':
        return controllersAnswer(records, question);
      case 'requests':
        return requestsAnswer(records, question);
      case 'request':
        return requestAnswer(records, question);
      case 'why-reconcile':
        return whyReconcileAnswer(records, question);
      case 'diff':
        return diffAnswer(records, question.from, question.to);
      case 'row-digests':
        return runToEnd(digestSteps(records, question.at));
      case 'row-values':
        return valuesOf(records, question.keys, question.at);
      default:
        throw new Unanswerable(
          'not-found',
          `"${question.ask}" is not a question about collections`,
          'ask the host',
        );
    }
  }

  /** The question with a retained moment. Refuses future moments like rolled-off ones. */
  #moment<Q extends {at?: number | undefined}>(question: Q): Q {
    return {...question, at: momentOf(this.#records, question.at)};
  }

  /** The fetches of a sheet's columns, for its "also reads" bar. */
  #reads(collections: readonly string[]): {collection: string; filter: string}[] {
    const found = new Map<string, string>();
    for (const edge of this.#records.edges()) {
      if (edge.kind !== 'fetch' || !collections.includes(edge.to) || found.has(edge.from)) continue;
      found.set(edge.from, this.#parts.edges.texts(edge.from, edge.to).filters[0] ?? 'all');
    }
    return [...found].map(([collection, filter]) => ({collection, filter}));
  }
}
