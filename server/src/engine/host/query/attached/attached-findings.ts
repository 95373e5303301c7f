// Findings about an attached program: its document does not arrive, or its informers are behind the cluster.
import type {WorkFact} from '@krtscope/shared/programs/work.ts';
import type {CheckContext, Finding} from '../../../../explain/checks/finding.ts';
import {informerLagWords, missingDocumentWords} from '../../../../explain/wording/attached-check-sentence.ts';
import {workFactWords} from '../../../../explain/wording/program-work-sentence.ts';
import type {
  AttachedRow,
  LagFindingRow,
  MissingDocumentRow,
  WorkFindingRow,
} from '../../../link/attached-rows.ts';
import {hiddenCollections} from '../../../link/hidden-collections.ts';

const MAX_KEYS = 50;

export function attachedFindings({records, at}: CheckContext): Finding[] {
  const findings: Finding[] = [];
  for (const key of [...records.keys(hiddenCollections.attached, at)].sort()) {
    const row = records.value(hiddenCollections.attached, key, at) as AttachedRow | undefined;
    if (row === undefined) continue;
    if ('fact' in row) findings.push(workFinding(row));
    else findings.push('collection' in row ? lagFinding(row) : missingDocumentFinding(row));
  }
  return findings;
}

function missingDocumentFinding(row: MissingDocumentRow): Finding {
  return {
    code: 'no-document',
    severity: row.hasLog ? 'warning' : 'error',
    collection: '',
    keys: [],
    ...missingDocumentWords(row),
    at: row.since,
  };
}

function lagFinding({program, collection, resource, rows, count}: LagFindingRow): Finding {
  const keysOf = (state: LagFindingRow['rows'][number]['state']) =>
    rows.flatMap(row => (row.state === state ? [row.key] : []));
  const [first] = rows;
  return {
    code: 'informer-lag',
    severity: 'warning',
    collection,
    keys: rows.slice(0, MAX_KEYS).map(({key}) => key),
    ...informerLagWords({
      program,
      collection,
      resource,
      behind: keysOf('behind'),
      missing: keysOf('missing'),
      extra: keysOf('extra'),
    }),
    count,
    ...(first === undefined ? {} : {at: first.since}),
  };
}

/** A collection that stays unsynced holds up others. The rest is worth knowing and harms nothing. */
function workFinding({program, fact}: WorkFindingRow): Finding {
  return {
    code: fact.code,
    severity: fact.code === 'not-synced' ? 'warning' : 'info',
    collection: fact.collection,
    keys: 'keys' in fact ? fact.keys.slice(0, MAX_KEYS) : [],
    ...workFactWords(program, fact),
    count: countOf(fact),
  };
}

function countOf(fact: WorkFact): number {
  switch (fact.code) {
    case 'equal-runs':
      return fact.equal;
    case 'repeated-runs':
      return fact.repeated;
    case 'unindexed-fetch':
      return fact.fetches;
    case 'comes-and-goes':
      return fact.times;
    case 'without-output':
      return fact.keys.length;
    case 'largest':
      return fact.rows;
    case 'busiest':
      return fact.changes;
    case 'absent-names':
      return fact.names.length;
    case 'not-synced':
      return 1;
  }
}
