// The nine verdicts, one table: each row has the fact that makes it the answer or rules it out. The first that holds is
// the verdict, and the same facts are its evidence.
import type {Evidence, Part} from '@krtscope/shared/why.ts';
import {type Verdict, verdicts} from '@krtscope/shared/words.ts';
import {staysWords} from './effects.ts';
import {holdersOf} from './holders.ts';
import {code, fetchWords, firstLine, item, listWords, text} from './sentence.ts';
import {
  didWords,
  expectedPart,
  failingParts,
  goneParts,
  lookerPart,
  returnedEarly,
  sinceParts,
  through,
  unreadWords,
  untilParts,
} from './verdict-words.ts';
import {type Case, failingRow} from './why-not-case.ts';

/** What a row of the table says: the fact, and the words if it is the answer. */
interface Ruling {
  readonly reason: string;
  /** Absent: it does not hold. */
  readonly parts?: Part[];
}

const no = (reason: string): Ruling => ({reason});

/** A run that is older than the change in question says nothing about it. */
function isCurrent(c: Case): boolean {
  return c.run !== undefined && (c.change === undefined || c.run.sequence >= c.change.sequence);
}

function gone(c: Case): Ruling {
  const parts = goneParts(c);
  if (c.asked.state !== 'gone' || parts.length === 0) return no('it is there');
  const left = c.records.hasInput(c.asked.collection, c.asked.input ?? c.asked.key, c.at);
  return {
    reason: `it is gone since #${c.asked.change?.sequence}`,
    parts: [
      text('It is gone. '),
      ...parts,
      text(left ? '; its input is still there and yields other rows.' : '; nothing runs for it any more.'),
    ],
  };
}

function waiting(c: Case): Ruling {
  const {facts} = c.looker;
  const suspended = c.run?.outcome === 'suspended';
  if (facts.synced && !suspended) return no('synced, and its last run was not suspended');
  const waitsFor = c.run?.waitingFor ?? facts.waitingFor;
  const holders = holdersOf(c.records, c.run?.waitingFor ?? facts.name, c.at);
  const last = holders[holders.length - 1];
  const held: Part[] = last
    ? [
        ...(last.collection === waitsFor ? [] : [text(', held by '), code(last.collection)]),
        text(` (${last.state}${last.reason === undefined ? '' : `: ${last.reason}`})`),
      ]
    : [];
  return {
    reason: waitsFor === undefined ? 'not synced' : `waits for ${waitsFor}`,
    parts: [
      text('It is waiting. '),
      suspended ? lookerPart(c) : code(facts.name),
      text(waitsFor ? ` waits for ${waitsFor}` : ' has not synced'),
      ...held,
      text('.'),
      ...through(c),
    ],
  };
}

function failed(c: Case): Ruling {
  const {run} = c;
  if (run?.outcome !== 'failed')
    return no(run ? `its last run came out ${run.outcome}` : 'no run is recorded');
  if (!isCurrent(c)) return no(`its last run failed, before #${c.change?.sequence}`);
  return {
    reason: `run #${run.id} failed`,
    parts: [
      text('It ran and failed. '),
      lookerPart(c),
      text(` ran in #${run.sequence} and failed with `),
      code(firstLine(run.error ?? 'no message'), 'error'),
      text(`; ${staysWords(c.records, run)}.`),
      ...through(c),
    ],
  };
}

function discarded(c: Case): Ruling {
  const {run} = c;
  if (run?.outcome !== 'discarded')
    return no(run ? `its last run came out ${run.outcome}` : 'no run is recorded');
  if (!isCurrent(c)) return no(`its last run discarded, before #${c.change?.sequence}`);
  return {
    reason: `run #${run.id} discarded`,
    parts: [
      text('It discarded. '),
      lookerPart(c),
      text(` ran in #${run.sequence} and asked to discard its result; ${staysWords(c.records, run)}.`),
      ...through(c),
    ],
  };
}

function didNotLook(c: Case): Ruling {
  const {expected, asked, run} = c;
  if (c.look) {
    const by = c.look.beyond
      ? `a fetch of ${c.look.beyond.collection}, which is made from it`
      : c.look.best
        ? 'a fetch'
        : 'its input or parts';
    return no(`${c.looker.collection}/${c.looker.key} reads ${expected.collection} by ${by}`);
  }
  const lead = text('It did not look. ');
  const reason = `nothing that it is made from reads ${expected.collection}`;
  const {kind, parents} = asked.facts;
  if (kind === 'join' || kind === 'index' || kind === 'map' || kind === 'status')
    return {
      reason,
      parts: [
        lead,
        item(asked, 'subject'),
        text(` is made of ${listWords(parents)} alone, and none of what is in it reads `),
        code(expected.collection),
        text('.'),
      ],
    };
  if (!run)
    return {
      reason,
      parts: [
        lead,
        ...(parents.length === 0
          ? [item(asked, 'subject'), text(' is written from outside and reads nothing.')]
          : [
              text('No run of '),
              item(asked, 'subject'),
              text(' is recorded, so nothing can wake it for '),
              code(expected.collection),
              text('.'),
            ]),
      ],
    };
  const reads = [...new Set(run.fetches.map(fetch => fetch.collection))];
  const recorded = reads.length > 0 ? `it reads ${listWords(reads)}` : 'it recorded no fetch at all';
  return {
    reason,
    parts: [
      lead,
      text('The last run of '),
      lookerPart(c),
      text(' recorded no fetch of '),
      code(expected.collection),
      text(`; ${recorded}.`),
      ...returnedEarly(c),
    ],
  };
}

function lookedElsewhere(c: Case): Ruling {
  const {look, expected} = c;
  if (!look) return no('it did not look');
  if (look.used) return no(look.best ? 'a filter matches it as it is' : 'it is its input or a part of it');
  if (!c.exists && !c.change) return no(`${expected.collection}/${expected.key} never was`);
  // It reacted to the deletion: that is the answer.
  if (!c.exists && c.wave && c.wave.end !== 'nowhere') return no('it was found until it was deleted');
  const lead = text('It looked elsewhere. ');
  if (look.beyond)
    return {
      reason: `nothing that is made from it was found by ${fetchWords(look.beyond.collection, look.beyond.filter)}`,
      parts: [
        lead,
        lookerPart(c),
        text(' asked '),
        code(fetchWords(look.beyond.collection, look.beyond.filter)),
        text(', and what is made from '),
        expectedPart(c),
        text(' was not among what that found.'),
        ...through(c),
      ],
    };
  if (!look.best) return {reason: 'it is made from others', parts: [lead, ...fromOthers(c)]};
  const {fetch, tried} = look.best;
  const failing = failingRow(c);
  const parts: Part[] = [
    lead,
    lookerPart(c),
    text(' asked '),
    code(fetchWords(expected.collection, fetch.filter)),
  ];
  if (!c.exists) parts.push(text(', and '), expectedPart(c), text(` was deleted in #${c.change?.sequence}.`));
  else if (failing) parts.push(text(', and '), ...failingParts(c, failing), text('.'));
  else parts.push(text(' and did not find '), expectedPart(c), text('.'));
  const until = c.exists ? [...untilParts(c), ...sinceParts(c)] : [];
  if (c.exists && until.length === 0) {
    const both = tried.matchesOld === false && c.change?.old !== undefined;
    parts.push(
      text(both ? ' Neither its old nor its new version matched' : ' It did not match'),
      text(', so no run was due.'),
    );
  }
  const reason =
    failing === undefined ? 'no filter matches it' : `no filter matches it: ${failing.clause} differs`;
  return {reason, parts: [...parts, ...until, ...through(c)]};
}

/** What is computed from other items, and not from this one. */
function fromOthers(c: Case): Part[] {
  const {looker, expected} = c;
  if (looker.facts.kind === 'index') {
    const count = c.records.inputsOf(looker.collection, looker.key, c.at).length;
    if (looker.facts.parents[0] !== expected.collection) return notAmong(c, count);
    return [
      text(count === 1 ? 'The one item in ' : `None of the ${count} items in `),
      item(looker, 'subject'),
      text(count === 1 ? ' is not ' : ' is '),
      expectedPart(c),
      text('.'),
      ...liesIn(c),
    ];
  }
  return [
    lookerPart(c),
    text(' is computed from '),
    item({collection: expected.collection, key: looker.input}),
    text(', not from '),
    expectedPart(c),
    text('.'),
    ...through(c),
  ];
}

/** Of an index row: the item that is computed from the expected one, which lies elsewhere or is not there. */
function notAmong(c: Case, count: number): Part[] {
  const {looker} = c;
  const meant = c.look?.meant?.item;
  const among = count === 1 ? 'the one item in ' : `one of the ${count} items in `;
  if (!meant)
    return [
      text(count === 1 ? 'The one item in ' : `None of the ${count} items in `),
      item(looker, 'subject'),
      text(count === 1 ? ' is not computed from ' : ' is computed from '),
      expectedPart(c),
      text(`, and ${looker.facts.parents[0]} has none that is.`),
    ];
  return [
    item(meant),
    text(' is computed from '),
    expectedPart(c),
    text(`, and is not ${among}`),
    item(looker, 'subject'),
    text('.'),
    ...liesIn(c),
  ];
}

function liesIn(c: Case): Part[] {
  const row = c.look?.meant?.row;
  return row === undefined
    ? []
    : [text(' It is in '), item({collection: c.looker.collection, key: row}), text('.')];
}

function equal(c: Case): Ruling {
  const {wave} = c;
  if (wave?.end !== 'equal') return no(waveWords(c));
  const {run, node} = wave;
  const here = node.collection === c.asked.collection && node.key === c.asked.key;
  const named = item(node, 'subject');
  const result = !run ? 'stayed as it was' : ownWords(run.outcome, c.records.runBefore(run.id) === undefined);
  return {
    reason: run
      ? `run #${run.id} of ${node.collection}/${node.key} ${result}`
      : `${node.collection}/${node.key} ${result}`,
    parts: [
      text('It ran and nothing came of it. '),
      named,
      text(run ? ` ran in #${run.sequence} because of ` : ' was made anew because of '),
      expectedPart(c),
      text(`, and ${result}.${unreadWords(c, run)}`),
      ...(here
        ? []
        : [text(' The wave ended there and did not reach '), item(c.asked, 'subject'), text('.')]),
    ],
  };
}

function ownWords(outcome: string, first: boolean): string {
  if (outcome === 'empty') return first ? 'returned nothing' : 'returned nothing, as before';
  return 'its result was equal to the one before';
}

function waveWords({wave, change}: Case): string {
  if (!change) return 'no change of it is recorded';
  if (!wave) return 'what its change led to is not known';
  return wave.end === 'here'
    ? `its change in #${change.sequence} came through`
    : `nothing ran for #${change.sequence}`;
}

function reacted(c: Case): Ruling {
  const {change, wave, asked} = c;
  if (change && wave?.end === 'here') {
    const run = wave.run?.sequence === change.sequence ? wave.run : undefined;
    const what =
      change.event === 'delete'
        ? `was deleted in #${change.sequence}`
        : `has not changed since #${change.sequence}`;
    const did: Part[] = run
      ? [text(` did react to that: run #${run.id}, it ${didWords(run.outcome)}.`)]
      : [text(' did react to that: it changed with it.')];
    return {
      reason: run ? `run #${run.id} used it` : `it changed in #${change.sequence}`,
      parts: [
        text('It did react. '),
        expectedPart(c),
        text(` ${what}, and `),
        item(asked, 'subject'),
        ...did,
      ],
    };
  }
  if (c.look?.used && isCurrent(c) && c.run)
    return {
      reason: `run #${c.run.id} used it`,
      parts: [
        text('It did react. '),
        lookerPart(c),
        text(` has used `),
        expectedPart(c),
        text(` as it is since run #${c.run.id}, which came out `),
        {outcome: c.run.outcome},
        text('.'),
        ...through(c),
      ],
    };
  return no(c.run ? `its last run, ${c.run.id}, is older or does not use it` : 'no run is recorded');
}

function noChange(c: Case): Ruling {
  const {change, exists} = c;
  const parts: Part[] = [text('Nothing changed. '), expectedPart(c)];
  if (!exists && !change) parts.push(text(' does not exist and is not in the recording.'));
  else if (!change) parts.push(text(' has not changed since the recording began.'));
  else
    parts.push(
      text(` ${exists ? 'has not changed since' : 'was deleted in'} #${change.sequence}, and that gave `),
      lookerPart(c),
      text(' nothing to react to.'),
    );
  return {
    reason: change ? `its last change was #${change.sequence}` : 'no change of it is recorded',
    parts: [...parts, ...through(c)],
  };
}

const table: Record<Verdict, (c: Case) => Ruling> = {
  gone,
  waiting,
  failed,
  discarded,
  'did-not-look': didNotLook,
  'looked-elsewhere': lookedElsewhere,
  equal,
  reacted,
  'no-change': noChange,
};

export interface Decision {
  readonly verdict: Verdict;
  readonly parts: Part[];
  readonly ruled: Evidence['ruled'];
}

/** The verdict on a case, with the fact that each row of the table goes by. */
export function decide(c: Case): Decision {
  const ruled: Evidence['ruled'] = [];
  let answer: {verdict: Verdict; parts: Part[]} | undefined;
  for (const verdict of verdicts) {
    if (answer) {
      ruled.push({verdict, held: false, reason: `not asked: ${answer.verdict} holds`});
      continue;
    }
    const {reason, parts} = table[verdict](c);
    ruled.push({verdict, held: parts !== undefined, reason});
    if (parts) answer = {verdict, parts};
  }
  return {...(answer as {verdict: Verdict; parts: Part[]}), ruled};
}
