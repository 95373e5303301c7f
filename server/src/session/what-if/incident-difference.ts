// Which incidents would begin and end, from the findings before and after a trial.
import type {Check} from '@krtscope/shared/checks.ts';
import type {Incident} from '@krtscope/shared/incidents.ts';
import type {SupposedIncident} from '@krtscope/shared/what-if/what-if.ts';

/** Controllers need a moment to follow a change. What only they can repair is not an incident yet. */
const BEFORE_CONTROLLERS = new Set(['endpoints-disagree']);

interface SymptomKey {
  readonly code: string;
  readonly collection: string;
  readonly key: string;
}

export function incidentDifference(
  before: readonly Check[],
  after: readonly Check[],
  open: readonly Incident[],
): {begun: SupposedIncident[]; ended: SupposedIncident[]} {
  const old = idsOf(before);
  const now = idsOf(after);
  const begun = after.flatMap(check => {
    if (check.severity === 'info' || BEFORE_CONTROLLERS.has(check.code)) return [];
    const keys = keysOf(check).filter(key => !old.has(idOf({...check, key})));
    return keys.length === 0 ? [] : [toIncident(check, keys)];
  });
  return {begun, ended: open.filter(incident => isEnded(incident, old, now)).map(toSupposed)};
}

/** An incident ends if all its present symptoms would be gone. Symptoms that no state check finds stay. */
function isEnded(incident: Incident, old: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  const present = incident.symptoms.filter(({ended}) => ended === undefined);
  return (
    present.length > 0 &&
    present.every(({code, collection, keys}) =>
      (keys.length > 0 ? keys : ['']).every(key => {
        const id = idOf({code, collection, key});
        return old.has(id) && !now.has(id);
      }),
    )
  );
}

function toIncident(check: Check, keys: readonly string[]): SupposedIncident {
  const {code, collection, severity, title, message, evidence, hint, sequence} = check;
  const own = keys.filter(key => key !== '');
  return {
    id: `${code} ${collection} ${own[0] ?? ''}`.trimEnd(),
    severity,
    title,
    sentence: message,
    symptoms: [
      {
        code,
        collection,
        keys: own,
        severity,
        title,
        message,
        began: sequence,
        ...(evidence === undefined ? {} : {evidence}),
        ...(hint === undefined ? {} : {hint}),
      },
    ],
  };
}

function toSupposed({id, severity, title, sentence, symptoms}: Incident): SupposedIncident {
  return {id, severity, title, sentence, symptoms};
}

function idsOf(checks: readonly Check[]): Set<string> {
  return new Set(checks.flatMap(check => keysOf(check).map(key => idOf({...check, key}))));
}

const keysOf = ({keys}: Check) => (keys.length > 0 ? keys : ['']);
const idOf = ({code, collection, key}: SymptomKey) => `${code}\n${collection}\n${key}`;
