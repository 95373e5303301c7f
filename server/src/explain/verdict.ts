// The six verdicts, tried one after the other: the first whose facts hold is the answer, in words.
import type {Part} from '@krtscope/shared/why.ts';
import type {Outcome, Verdict} from '@krtscope/shared/words.ts';
import {changeHop} from './chain.ts';
import {holdersOf} from './holders.ts';
import {isRead} from './reads.ts';
import {code, fetchWords, firstLine, item, listWords, text} from './sentence.ts';
import {type Case, failingRow} from './why-not-case.ts';

export interface Decision {
  readonly verdict: Verdict;
  readonly parts: Part[];
}

const subjectPart = (c: Case): Part => item(c.looker, 'subject');
const expectedPart = (c: Case): Part => item(c.expected, 'cause');

/** "through Workloads/a" where the item above is the one that looks. */
function through(c: Case): Part[] {
  if (c.looker.collection === c.asked.collection) return [];
  return [text(' '), item(c.asked, 'subject'), text(' is computed from it.')];
}

function waiting(c: Case): Decision | undefined {
  const facts = c.looker.facts;
  const suspended = c.run?.outcome === 'suspended';
  if (facts.synced && !suspended && c.run) return undefined;
  if (facts.synced && !suspended) return undefined;
  const holders = holdersOf(c.records, c.run?.waitingFor ?? facts.name, c.at);
  const last = holders[holders.length - 1];
  const reason: Part[] = last
    ? [text(', held by '), code(last.collection), text(` (${last.reason ?? last.state})`)]
    : [];
  const waitsFor = c.run?.waitingFor ?? facts.waitingFor;
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

function didNotLook(c: Case): Decision | undefined {
  if (c.primary || c.fetches.length > 0) return undefined;
  const reads = [...new Set((c.run?.fetches ?? []).map(f => f.collection))];
  const parents = c.looker.facts.parents;
  if (parents.includes(c.expected.collection)) {
    return {
      verdict: 'looked-elsewhere',
      parts: [
        text('It looked elsewhere. '),
        subjectPart(c),
        text(' is computed from '),
        item({collection: c.expected.collection, key: c.input}),
        text(', not from '),
        expectedPart(c),
        text('.'),
        ...through(c),
      ],
    };
  }
  const discarded = c.run?.outcome === 'discarded' ? ' The last run discarded its result.' : '';
  const recorded = reads.length > 0 ? `it reads ${listWords(reads)}` : 'it recorded no fetch at all';
  return {
    verdict: 'did-not-look',
    parts: [
      text('It did not look. '),
      c.run ? text('The last run of ') : text('No run of '),
      subjectPart(c),
      text(c.run ? ' recorded no fetch of ' : ' is recorded, so nothing can wake it for '),
      code(c.expected.collection),
      text(c.run ? `; ${recorded}.${discarded}` : '.'),
    ],
  };
}

function lookedElsewhere(c: Case): Decision | undefined {
  if (c.primary || !c.best || c.reaction) return undefined;
  const {tried, fetch} = c.best;
  if (tried.matchesNew !== false || tried.matchesOld === true) return undefined;
  const failing = failingRow(c);
  const parts: Part[] = [
    text('It looked elsewhere. '),
    subjectPart(c),
    text(' asked '),
    code(fetchWords(c.expected.collection, fetch.filter)),
  ];
  const exists = c.records.has(c.expected.collection, c.expected.key, c.at);
  if (!exists) parts.push(text(', and '), expectedPart(c), text(' does not exist'));
  else if (failing) {
    parts.push(
      text(', and '),
      expectedPart(c),
      text(` has ${failing.clause} `),
      code(failing.new ?? failing.old ?? 'none', 'error'),
    );
    parts.push(text(' where the fetch wants '), code(failing.wants.replace(/^= /, '')));
  } else parts.push(text(' and did not find '), expectedPart(c));
  const sides =
    tried.matchesOld === undefined || c.change?.old === undefined
      ? 'It did not match'
      : 'Neither its old nor its new version matched';
  parts.push(text(`. ${sides}, so no run was due.`), ...through(c));
  return {verdict: 'looked-elsewhere', parts};
}

/** Changed paths of the expected one that the formula does not read: why the result could not differ. */
function unreadWords(c: Case): string {
  if (c.change?.event !== 'update') return '';
  const changes = changeHop(c.change).changes;
  if (changes.length === 0) return '';
  const paths = c.reader.paths(c.looker.collection, c.input, c.expected);
  const named = listWords(
    changes.map(x => x.path),
    3,
  );
  if (!paths) return ` What changed was ${named}.`;
  const unread = changes.filter(x => !isRead(x.path, paths));
  if (unread.length === changes.length)
    return ` What changed was ${named}, and the formula does not read ${changes.length === 1 ? 'it' : 'them'}.`;
  return ` What changed was ${named}.`;
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

function noChange(c: Case): Decision {
  const exists = c.records.has(c.expected.collection, c.expected.key, c.at);
  const parts: Part[] = [text('Nothing changed. '), expectedPart(c)];
  if (!exists && !c.change) parts.push(text(' does not exist and is not in the recording.'));
  else if (!c.change) parts.push(text(' has not changed since the recording began.'));
  else if (c.reaction) {
    const did: Partial<Record<Outcome, string>> = {
      added: 'was added',
      changed: 'changed',
      deleted: 'was deleted',
    };
    parts.push(text(` has not changed since batch ${c.change.sequence}, and `), subjectPart(c));
    parts.push(
      text(` did react to that: run ${c.reaction.id}, it ${did[c.reaction.outcome] ?? c.reaction.outcome}.`),
    );
  } else {
    parts.push(text(` has not changed since batch ${c.change.sequence}; `), subjectPart(c));
    parts.push(
      text(
        c.run && c.run.sequence >= c.change.sequence
          ? ` has read it since then, in run ${c.run.id}.`
          : ' has had nothing to react to.',
      ),
    );
  }
  return {verdict: 'no-change', parts: [...parts, ...through(c)]};
}

/** The verdict on a case. */
export function decide(c: Case): Decision {
  return waiting(c) ?? didNotLook(c) ?? lookedElsewhere(c) ?? ranEqual(c) ?? discarded(c) ?? noChange(c);
}
