// Findings about an attached program: its document does not arrive, or its informers are behind the cluster.
import type {CheckContext, Finding} from '../../../../explain/checks/finding.ts';
import {informerLagWords, missingDocumentWords} from '../../../../explain/wording/attached-check-sentence.ts';
import type {AttachedRow, LagFindingRow, MissingDocumentRow} from '../../../link/attached-rows.ts';
import {hiddenCollections} from '../../../link/hidden-collections.ts';

const MAX_KEYS = 50;

export function attachedFindings({records, at}: CheckContext): Finding[] {
  const findings: Finding[] = [];
  for (const key of [...records.keys(hiddenCollections.attached, at)].sort()) {
    const row = records.value(hiddenCollections.attached, key, at) as AttachedRow | undefined;
    if (row === undefined) continue;
    findings.push('collection' in row ? lagFinding(row) : missingDocumentFinding(row));
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
