// Why an item is as it is: one sentence, the chain back to the write, the effects forward, and what else was in the batch.
import type {RunRecord} from '@krtscope/shared/run.ts';
import type {SentencePart, Why} from '@krtscope/shared/why.ts';
import {blastGroups} from './blast.ts';
import {chainBelowRun, ownOutcome, placeOfHop, runHop} from './chain.ts';
import {effectsOfRun, isFirstRun} from './effects.ts';
import {answerOfUntold, isUntold} from './observed.ts';
import type {Reader} from './reads.ts';
import type {RecordedRun, Records} from './records.ts';
import {code, item, outcomeParts, plain, text} from './sentence.ts';
import {stripOf} from './strip.ts';
import {type Asked, type Subject, subjectOf} from './subject.ts';
import {togetherWith} from './together.ts';
import type {Target} from './weigh.ts';
import {answerOfChange} from './why-change.ts';
import {besideParts, causeParts, originParts, stoppedParts} from './why-words.ts';

/** A run as the wire has it: without clauses and places, which only explain needs. */
export function wireRun(run: RecordedRun): RunRecord {
  return {
    ...run,
    at: Math.round(run.at),
    fetches: run.fetches.map(({clauses: _clauses, ...fetch}) => fetch),
    causes: run.causes.map(({published: _published, ...cause}) => cause),
  };
}

function answerOfRun(
  records: Records,
  reader: Reader,
  subject: Subject,
  run: RecordedRun,
  at: number | undefined,
): Why {
  const batch = records.batch(run.sequence);
  const target: Target =
    subject.state === 'output' && run.outputs.some(o => o.key === subject.key)
      ? {kind: 'row', key: subject.key}
      : {kind: 'input'};
  const hops = chainBelowRun(reader, run, target);
  const first = isFirstRun(records, run);
  const outcome = subject.state === 'output' ? ownOutcome(run, subject.key) : run.outcome;
  const parts: SentencePart[] = [
    item(subject, 'subject'),
    text(' '),
    ...(outcome === 'suspended'
      ? [
          ...stoppedParts(records, run, at),
          ...(hops[0] && hops[0].text === undefined
            ? [text('; it ran'), ...causeParts(run, hops[0], first)]
            : []),
        ]
      : [
          ...outcomeParts(outcome, {first, error: run.error}),
          ...besideParts(run, outcome),
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
    sentence: plain(parts),
    parts,
    run: wireRun(run),
    causes: [runHop(records, run, subject.key), ...hops],
    effects: effectsOfRun(records, run, subject.state === 'output' ? subject.key : undefined),
    together: togetherWith(records, run, chain),
    blast: blastGroups(batch, origin?.sequence === run.sequence ? placeOfHop(origin) : undefined, run.id),
    kept: run.fetches
      .filter(f => !gained.has(`${f.collection}\n${f.filter}`))
      .map(({collection, filter}) => ({collection, filter})),
    ...stripOf(records, run.collection, run.input, {run: run.id}),
    settled: batch?.duration ?? run.start + run.duration,
    equalSince: subject.equalSince,
  };
}

/** Nothing is recorded of it: it is older than the recording, or waits for its first run. */
function answerOfNothing(records: Records, subject: Subject, at: number | undefined): Why {
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
    sentence: plain(parts),
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
export function why(records: Records, reader: Reader, asked: Asked): Why {
  const subject = subjectOf(records, asked);
  if (isUntold(subject)) return answerOfUntold(records, subject, wireRun);
  if (subject.run) return answerOfRun(records, reader, subject, subject.run, asked.at);
  if (subject.change) return answerOfChange(records, reader, subject, subject.change);
  return answerOfNothing(records, subject, asked.at);
}
