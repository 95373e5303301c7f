// Answers why an item is as it is: a sentence, the chain of causes, the effects, and the other changes of the batch.
import type {Why} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {type ItemQuestion, type QuestionSubject, subjectOf} from '../evidence/question-subject.ts';
import {runHistoryOf} from '../evidence/run-history.ts';
import type {RecordedRun, Records} from '../records.ts';
import {toWireRun} from '../wire-run.ts';
import {toPlainText} from '../wording/say.ts';
import {noRunYetParts, runParts, unchangedParts, waitingRunParts} from '../wording/why-sentence.ts';
import {causeChainOfRun, outcomeOfOutput, placeOfHop, runHop} from './cause-chain.ts';
import {effectsOfRun, isFirstRun} from './effects.ts';
import type {ExplainTarget} from './explain-target.ts';
import {impactGroups} from './impact.ts';
import {otherChangesOf} from './other-changes.ts';
import {answerOfUnexplained, isUnexplained} from './unexplained-change.ts';
import {answerOfChange} from './why-change.ts';
import {blockerOf, causeFactsOf, chainEndOf} from './why-words.ts';

function answerOfRun(
  records: Records,
  reader: RerunReader,
  subject: QuestionSubject,
  run: RecordedRun,
  at: number | undefined,
): Why {
  const batch = records.batch(run.sequence);
  const target: ExplainTarget =
    subject.state === 'output' && run.outputs.some(o => o.key === subject.key)
      ? {kind: 'row', key: subject.key}
      : {kind: 'input'};
  const hops = causeChainOfRun(reader, run, target);
  const first = isFirstRun(records, run);
  const outcome = subject.state === 'output' ? outcomeOfOutput(run, subject.key) : run.outcome;
  const because = causeFactsOf(records, run, hops[0], first);
  const isChangeCaused = hops[0] !== undefined && hops[0].text === undefined;
  const parts =
    outcome === 'suspended'
      ? waitingRunParts(
          subject,
          run.waitingFor,
          blockerOf(records, run, at),
          isChangeCaused ? because : undefined,
        )
      : runParts({
          about: subject,
          outcome,
          first,
          error: run.error,
          otherOutputs: outcome === 'equal' && run.outcome === 'changed' ? run.counts : undefined,
          because,
          end: chainEndOf(run, hops),
        });
  const origin = hops[hops.length - 1];
  const gained = new Set(run.gained.map(d => `${d.collection}\n${d.filter}`));
  const chain = new Set(hops.map(h => `${h.collection}\n${h.key}`));
  return {
    sequence: run.sequence,
    collection: subject.collection,
    key: subject.key,
    outcome,
    sentence: toPlainText(parts),
    parts,
    run: toWireRun(run),
    causes: [runHop(records, run, subject.key), ...hops],
    effects: effectsOfRun(records, run, subject.state === 'output' ? subject.key : undefined),
    together: otherChangesOf(records, run, chain),
    blast: impactGroups(batch, origin?.sequence === run.sequence ? placeOfHop(origin) : undefined, run.id),
    kept: run.fetches
      .filter(f => !gained.has(`${f.collection}\n${f.filter}`))
      .map(({collection, filter}) => ({collection, filter})),
    ...runHistoryOf(records, run.collection, run.input, {run: run.id}),
    settled: batch?.duration ?? run.start + run.duration,
    equalSince: subject.equalSince,
  };
}

/** The item is older than the recording, or waits for its first run. */
function answerOfNothing(records: Records, subject: QuestionSubject, at: number | undefined): Why {
  const facts = records.row(subject.collection, subject.key, at);
  const {waitingFor} = subject.facts;
  const isWaiting = subject.state === 'input' && !subject.facts.synced;
  const parts = isWaiting ? noRunYetParts(subject, subject.collection, waitingFor) : unchangedParts(subject);
  return {
    sequence: facts?.sequence ?? at ?? records.newest(),
    collection: subject.collection,
    key: subject.key,
    outcome: facts?.outcome ?? (subject.facts.synced ? 'added' : 'suspended'),
    sentence: toPlainText(parts),
    parts,
    run: null,
    causes: [],
    effects: [],
    together: [],
    blast: [],
    kept: [],
    strip: [],
    beyond: {before: 0, after: 0},
    settled: 0,
    equalSince: 0,
  };
}

/** Throws RolledOff for a moment or a run that is no longer kept, Unanswerable for names that never existed. */
export function explainWhy(records: Records, reader: RerunReader, asked: ItemQuestion): Why {
  const subject = subjectOf(records, asked);
  if (isUnexplained(subject)) return answerOfUnexplained(records, subject, toWireRun);
  if (subject.run) return answerOfRun(records, reader, subject, subject.run, asked.at);
  if (subject.change) return answerOfChange(records, reader, subject, subject.change);
  return answerOfNothing(records, subject, asked.at);
}
