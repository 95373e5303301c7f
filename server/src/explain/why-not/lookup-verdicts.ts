// The verdicts about where it looked: not there at all, or there and for something else.
import type {SentencePart} from '@krtscope/shared/why.ts';
import {code, fetchWords, item, listWords, text} from '../wording/sentence.ts';
import {
  computedFromParts,
  earlyReturnParts,
  expectedPart,
  failingClauseParts,
  filterChangeParts,
  matchedUntilParts,
  readerPart,
} from '../wording/verdict-sentence.ts';
import {failingClause, type VerdictFacts} from './verdict-facts.ts';
import {ruleOut, type VerdictRule} from './verdict-rule.ts';

export function didNotLook(c: VerdictFacts): VerdictRule {
  const {expected, asked, run} = c;
  if (c.look) {
    const by = c.look.beyond
      ? `a fetch of ${c.look.beyond.collection}, which is made from it`
      : c.look.best
        ? 'a fetch'
        : 'its input or parts';
    return ruleOut(`${c.looker.collection}/${c.looker.key} reads ${expected.collection} by ${by}`);
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
      readerPart(c),
      text(' recorded no fetch of '),
      code(expected.collection),
      text(`; ${recorded}.`),
      ...earlyReturnParts(c),
    ],
  };
}

export function lookedElsewhere(c: VerdictFacts): VerdictRule {
  const {look, expected} = c;
  if (!look) return ruleOut('it did not look');
  if (look.used)
    return ruleOut(look.best ? 'a filter matches it as it is' : 'it is its input or a part of it');
  if (!c.exists && !c.change) return ruleOut(`${expected.collection}/${expected.key} never was`);
  // It reacted to the deletion: that is the answer.
  if (!c.exists && c.wave && c.wave.end !== 'nowhere') return ruleOut('it was found until it was deleted');
  const lead = text('It looked elsewhere. ');
  if (look.beyond)
    return {
      reason: `nothing that is made from it was found by ${fetchWords(look.beyond.collection, look.beyond.filter)}`,
      parts: [
        lead,
        readerPart(c),
        text(' asked '),
        code(fetchWords(look.beyond.collection, look.beyond.filter)),
        text(', and what is made from '),
        expectedPart(c),
        text(' was not among what that found.'),
        ...computedFromParts(c),
      ],
    };
  if (!look.best) return {reason: 'it is made from others', parts: [lead, ...computedFromOthersParts(c)]};
  const {fetch, tried} = look.best;
  const failing = failingClause(c);
  const parts: SentencePart[] = [
    lead,
    readerPart(c),
    text(' asked '),
    code(fetchWords(expected.collection, fetch.filter)),
  ];
  if (!c.exists) parts.push(text(', and '), expectedPart(c), text(` was deleted in #${c.change?.sequence}.`));
  else if (failing) parts.push(text(', and '), ...failingClauseParts(c, failing), text('.'));
  else parts.push(text(' and did not find '), expectedPart(c), text('.'));
  const until = c.exists ? [...matchedUntilParts(c), ...filterChangeParts(c)] : [];
  if (c.exists && until.length === 0) {
    const both = tried.matchesOld === false && c.change?.old !== undefined;
    parts.push(
      text(both ? ' Neither its old nor its new version matched' : ' It did not match'),
      text(', so no run was due.'),
    );
  }
  const reason =
    failing === undefined ? 'no filter matches it' : `no filter matches it: ${failing.clause} differs`;
  return {reason, parts: [...parts, ...until, ...computedFromParts(c)]};
}

/** What is computed from other items, and not from this one. */
function computedFromOthersParts(c: VerdictFacts): SentencePart[] {
  const {looker, expected} = c;
  if (looker.facts.kind === 'index') {
    const count = c.records.inputsOf(looker.collection, looker.key, c.at).length;
    if (looker.facts.parents[0] !== expected.collection) return notInIndexRowParts(c, count);
    return [
      text(count === 1 ? 'The one item in ' : `None of the ${count} items in `),
      item(looker, 'subject'),
      text(count === 1 ? ' is not ' : ' is '),
      expectedPart(c),
      text('.'),
      ...actualIndexRowParts(c),
    ];
  }
  return [
    readerPart(c),
    text(' is computed from '),
    item({collection: expected.collection, key: looker.input}),
    text(', not from '),
    expectedPart(c),
    text('.'),
    ...computedFromParts(c),
  ];
}

/** Of an index row: the item that is computed from the expected one, which lies elsewhere or is not there. */
function notInIndexRowParts(c: VerdictFacts, count: number): SentencePart[] {
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
    ...actualIndexRowParts(c),
  ];
}

function actualIndexRowParts(c: VerdictFacts): SentencePart[] {
  const row = c.look?.meant?.row;
  return row === undefined
    ? []
    : [text(' It is in '), item({collection: c.looker.collection, key: row}), text('.')];
}
