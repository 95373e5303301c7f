// Why an item is as it is: one sentence, the chain back to the write, the effects forward, and what else was in the batch.
import type {SentencePart, Why} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {type ItemQuestion, type QuestionSubject, subjectOf} from '../evidence/question-subject.ts';
import {runHistoryOf} from '../evidence/run-history.ts';
import type {RecordedRun, Records} from '../records.ts';
import {toWireRun} from '../wire-run.ts';
import {code, item, outcomeParts, text, toPlainText} from '../wording/sentence.ts';
import {causeParts, originParts, otherOutputsParts, suspendedRunParts} from '../wording/why-sentence.ts';
import {causeChainOfRun, outcomeOfOutput, placeOfHop, runHop} from './cause-chain.ts';
import type {ExplainTarget} from './decisive-causes.ts';
import {effectsOfRun, isFirstRun} from './effects.ts';
import {impactGroups} from './impact.ts';
import {otherChangesOf} from './other-changes.ts';
import {answerOfUnexplained, isUnexplained} from './unexplained-change.ts';
import {answerOfChange} from './why-change.ts';

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
  const parts: SentencePart[] = [
    item(subject, 'subject'),
    text(' '),
    ...(outcome === 'suspended'
      ? [
          ...suspendedRunParts(records, run, at),
          ...(hops[0] && hops[0].text === undefined
            ? [text('; it ran'), ...causeParts(run, hops[0], first)]
            : []),
        ]
      : [
          ...outcomeParts(outcome, {first, error: run.error}),
          ...otherOutputsParts(run, outcome),
          ...causeParts(run, hops[0], first),
          ...originParts(run, hops),
        ]),
  ];
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

/** Nothing is recorded of it: it is older than the recording, or waits for its first run. */
function answerOfNothing(records: Records, subject: QuestionSubject, at: number | undefined): Why {
  const facts = records.row(subject.collection, subject.key, at);
  const {waitingFor} = subject.facts;
  const parts: SentencePart[] = [item(subject, 'subject')];
  if (subject.state === 'input' && !subject.facts.synced)
    parts.push(
      text(' has not run yet: '),
      code(subject.collection),
      text(waitingFor ? ` waits for ${waitingFor}` : ' has not synced'),
    );
  else parts.push(text(' has not changed since the recording began'));
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

/** Throws RolledOff for a moment or a run that is gone, Unanswerable for what never was. */
export function explainWhy(records: Records, reader: RerunReader, asked: ItemQuestion): Why {
  const subject = subjectOf(records, asked);
  if (isUnexplained(subject)) return answerOfUnexplained(records, subject, toWireRun);
  if (subject.run) return answerOfRun(records, reader, subject, subject.run, asked.at);
  if (subject.change) return answerOfChange(records, reader, subject, subject.change);
  return answerOfNothing(records, subject, asked.at);
}
