// The six verdicts, tried one after the other: the first whose facts hold is the answer, in words.
import type {Part} from '@krtscope/shared/why.ts';
import type {Verdict} from '@krtscope/shared/words.ts';
import {holdersOf} from './holders.ts';
import {code, fetchWords, firstLine, item, listWords, text} from './sentence.ts';
import {
  didWords,
  expectedPart,
  goneParts,
  returnedEarly,
  subjectPart,
  through,
  unreadWords,
  untilParts,
} from './verdict-words.ts';
import {type Case, failingRow} from './why-not-case.ts';

export interface Decision {
  readonly verdict: Verdict;
  readonly parts: Part[];
}

function waiting(c: Case): Decision | undefined {
  const facts = c.looker.facts;
  const suspended = c.run?.outcome === 'suspended';
  if (facts.synced && !suspended) return undefined;
  const holders = holdersOf(c.records, c.run?.waitingFor ?? facts.name, c.at);
  const last = holders[holders.length - 1];
  const waitsFor = c.run?.waitingFor ?? facts.waitingFor;
  const reason: Part[] = last
    ? [
        ...(last.collection === waitsFor ? [] : [text(', held by '), code(last.collection)]),
        text(` (${last.reason ?? last.state})`),
      ]
    : [];
  return {
    verdict: 'waiting',
    parts: [
      text('It is waiting. '),
      suspended ? subjectPart(c) : code(facts.name),
      text(waitsFor ? ` waits for ${waitsFor}` : ' has not synced'),
      ...reason,
      text('.'),
      ...through(c),
    ],
  };
}

/** The row is gone, and nothing runs for an input that is gone. */
function isGone(c: Case): Decision | undefined {
  if (!c.gone) return undefined;
  const gone = goneParts(c);
  if (gone.length === 0) return undefined;
  return {
    verdict: 'did-not-look',
    parts: [text('It is gone. '), ...gone, text('; nothing runs for it any more.')],
  };
}

/** What is computed from other items, and not from this one. */
function fromOthers(c: Case): Decision | undefined {
  if (c.primary || c.fetches.length > 0) return undefined;
  if (!c.looker.facts.parents.includes(c.expected.collection)) return undefined;
  const computed: Part[] =
    c.strangers === undefined
      ? [
          subjectPart(c),
          text(' is computed from '),
          item({collection: c.expected.collection, key: c.input}),
          text(', not from '),
        ]
      : [
          text(c.strangers === 1 ? 'The one item in ' : `None of the ${c.strangers} items in `),
          item(c.asked, 'subject'),
          text(c.strangers === 1 ? ' is not computed from ' : ' is computed from '),
        ];
  return {
    verdict: 'looked-elsewhere',
    parts: [
      text('It looked elsewhere. '),
      ...computed,
      expectedPart(c),
      text('.'),
      ...(c.strangers === undefined ? through(c) : []),
    ],
  };
}

function didNotLook(c: Case): Decision | undefined {
  if (c.primary || c.fetches.length > 0) return undefined;
  const {facts} = c.looker;
  const lead = text('It did not look. ');
  if (facts.kind === 'join' || facts.kind === 'index' || facts.kind === 'map') {
    return {
      verdict: 'did-not-look',
      parts: [
        lead,
        subjectPart(c),
        text(` is made of ${listWords(facts.parents)} alone, and none of what is in it reads `),
        code(c.expected.collection),
        text('.'),
      ],
    };
  }
  if (!c.run) {
    return {
      verdict: 'did-not-look',
      parts: [
        lead,
        text('No run of '),
        subjectPart(c),
        text(' is recorded, so nothing can wake it for '),
        code(c.expected.collection),
        text('.'),
      ],
    };
  }
  const reads = [...new Set(c.run.fetches.map(f => f.collection))];
  const recorded = reads.length > 0 ? `it reads ${listWords(reads)}` : 'it recorded no fetch at all';
  const discarded = c.run.outcome === 'discarded' ? ' The last run discarded its result.' : '';
  return {
    verdict: 'did-not-look',
    parts: [
      lead,
      text('The last run of '),
      subjectPart(c),
      text(' recorded no fetch of '),
      code(c.expected.collection),
      text(`; ${recorded}.${discarded}`),
      ...returnedEarly(c),
    ],
  };
}

/** A run that answered the last change without a new result speaks for itself. */
function cameToNothing(c: Case): boolean {
  const outcome = c.reaction?.outcome;
  return outcome !== undefined && outcome !== 'added' && outcome !== 'changed' && outcome !== 'deleted';
}

function lookedElsewhere(c: Case): Decision | undefined {
  if (c.primary || !c.best || cameToNothing(c)) return undefined;
  const {tried, fetch} = c.best;
  const exists = c.records.has(c.expected.collection, c.expected.key, c.at);
  if (tried.matchesNew !== false || (!exists && c.reaction)) return undefined;
  const failing = failingRow(c);
  const parts: Part[] = [
    text('It looked elsewhere. '),
    subjectPart(c),
    text(' asked '),
    code(fetchWords(c.expected.collection, fetch.filter)),
  ];
  if (!exists) parts.push(text(', and '), expectedPart(c), text(' does not exist.'));
  else if (failing) {
    parts.push(
      text(', and '),
      expectedPart(c),
      text(` has ${failing.clause} `),
      code(failing.new ?? failing.old ?? 'none', 'error'),
    );
    parts.push(text(' where the fetch wants '), code(failing.wants.replace(/^= /, '')), text('.'));
  } else parts.push(text(' and did not find '), expectedPart(c), text('.'));
  const until = exists ? untilParts(c) : [];
  if (exists && until.length === 0 && !c.reaction) {
    const both = tried.matchesOld === false && c.change?.old !== undefined;
    parts.push(
      text(both ? ' Neither its old nor its new version matched' : ' It did not match'),
      text(', so no run was due.'),
    );
  }
  return {verdict: 'looked-elsewhere', parts: [...parts, ...until, ...through(c)]};
}

function ranEqual(c: Case): Decision | undefined {
  const outcome = c.reaction?.outcome;
  if (outcome !== 'equal' && outcome !== 'empty') return undefined;
  const result =
    outcome === 'equal' ? 'the result was equal to the one before' : 'it returned nothing, as before';
  return {
    verdict: 'equal',
    parts: [
      text('It ran and nothing came of it. '),
      subjectPart(c),
      text(` ran in batch ${c.reaction!.sequence} because of `),
      expectedPart(c),
      text(`, and ${result}.${unreadWords(c)}`),
      ...through(c),
    ],
  };
}

function discarded(c: Case): Decision | undefined {
  const run = c.reaction ?? (c.run?.outcome === 'discarded' ? c.run : undefined);
  if (run?.outcome !== 'discarded' && run?.outcome !== 'failed') return undefined;
  const failed = run.outcome === 'failed';
  return {
    verdict: 'discarded',
    parts: [
      text(failed ? 'It ran and failed. ' : 'It discarded. '),
      subjectPart(c),
      text(` ran in batch ${run.sequence} and `),
      ...(failed
        ? [
            text('failed with '),
            code(firstLine(run.error ?? 'no message'), 'error'),
            text('; the last good rows stay.'),
          ]
        : [text('asked to discard its result; the rows and dependencies before it stay.')]),
      ...through(c),
    ],
  };
}

/** It did react, and nothing has happened since. */
function didReact(c: Case): Part[] {
  const {change, reaction} = c;
  const what: Part[] =
    change?.event === 'delete'
      ? [expectedPart(c), text(` was deleted in batch ${change.sequence}, and `)]
      : [expectedPart(c), text(` has not changed since batch ${change?.sequence}, and `)];
  return [
    ...what,
    subjectPart(c),
    text(` did react to that: run ${reaction?.id}, it ${didWords(reaction?.outcome ?? 'changed')}.`),
  ];
}

function noChange(c: Case): Decision {
  const exists = c.records.has(c.expected.collection, c.expected.key, c.at);
  if (c.change && c.reaction) return {verdict: 'no-change', parts: [...didReact(c), ...through(c)]};
  const parts: Part[] = [text('Nothing changed. '), expectedPart(c)];
  if (!exists && !c.change) parts.push(text(' does not exist and is not in the recording.'));
  else if (!c.change) parts.push(text(' has not changed since the recording began.'));
  else {
    const what = exists ? 'has not changed since' : 'was deleted in';
    parts.push(text(` ${what} batch ${c.change.sequence}; `), subjectPart(c));
    if (!c.run || c.run.sequence < c.change.sequence) parts.push(text(' has had nothing to react to.'));
    else
      parts.push(
        text(` has run since then, in run ${c.run.id}, and came out `),
        {outcome: c.run.outcome},
        text('.'),
      );
  }
  const gone = goneParts(c);
  if (gone.length > 0) parts.push(text(' '), ...gone, text('.'));
  return {verdict: 'no-change', parts: [...parts, ...through(c)]};
}

/** The verdict on a case. */
export function decide(c: Case): Decision {
  return (
    isGone(c) ??
    waiting(c) ??
    fromOthers(c) ??
    didNotLook(c) ??
    lookedElsewhere(c) ??
    ranEqual(c) ??
    discarded(c) ??
    noChange(c)
  );
}
