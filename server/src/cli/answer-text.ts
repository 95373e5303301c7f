// Answers as text for a terminal.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Incident, Incidents} from '@krtscope/shared/incidents.ts';
import type {SearchAnswer} from '@krtscope/shared/items.ts';
import type {FixOutcome, Origin} from '@krtscope/shared/origin.ts';
import type {Why, WhyNot} from '@krtscope/shared/why.ts';

export function whyText({sentence, causes, effects, sequence}: Why): string {
  const chain = causes.map(hop => {
    const verb = hop.kind === 'write' ? 'written' : (hop.outcome ?? hop.event ?? '');
    const by = hop.writer === undefined ? '' : ` by ${hop.writer.manager}`;
    const fetched =
      hop.cause?.filter === undefined ? '' : `  fetch(${hop.cause.collection}, ${hop.cause.filter})`;
    const changes = hop.changes
      .slice(0, 8)
      .map(({path, old, new: now}) => `      ${path}: ${valueText(old)} -> ${valueText(now)}`);
    const line = hop.text ?? `${hop.collection} ${hop.key}  ${verb}${by}${fetched}`;
    return [`  ${line}`, ...changes].join('\n');
  });
  const wave = effects.map(
    ({collection, key, depth, outcome, stopped}) =>
      `  ${'  '.repeat(Math.max(0, depth - 1))}${collection} ${key}  ${outcome ?? ''}${stopped ? `  (stopped: ${stopped.text})` : ''}`,
  );
  return [
    sentence,
    ...(chain.length > 0 ? ['', `cause, newest first (#${sequence})`, ...chain] : []),
    ...(wave.length > 0 ? ['', 'effect', ...wave] : []),
  ].join('\n');
}

export function whyNotText({verdict, sentence, evidence}: WhyNot): string {
  const clauses = evidence.clauses.map(({clause, wants, old, new: now, matchesNew, matchesOld}) => {
    const fits = matchesNew ?? matchesOld ?? false;
    return `  ${fits ? 'ok  ' : 'FAIL'} ${clause} ${wants}; it has ${now ?? old ?? 'none'}`;
  });
  const {commandNote} = evidence;
  const note = commandNote === undefined ? [] : [commandNote];
  const command =
    evidence.command === undefined ? [] : ['', `to make it match: ${evidence.command}`, ...note];
  return [`${verdict}: ${sentence}`, ...(clauses.length > 0 ? ['', ...clauses] : []), ...command].join('\n');
}

export function originText({sentence, steps, fix, fixNote, tried}: Origin): string {
  const lines = steps.map(
    step => `  ${step.sentence}${step.run === undefined ? '' : `  (run #${step.run})`}`,
  );
  return [
    sentence,
    ...(lines.length > 0 ? ['', 'step by step, back to the write', ...lines] : []),
    ...(fix === undefined ? [] : ['', `fix: ${fix}${triedText(tried)}`]),
    ...(fixNote === undefined ? [] : [fixNote]),
  ].join('\n');
}

const triedWords: Record<FixOutcome, string> = {
  ends: 'tried in a copy: it ends this',
  'does-not-end': 'tried in a copy: it does not end this',
  'cannot-try': 'could not be tried: krtscope cannot try this edit, or a controller has to act first',
};

function triedText(tried: FixOutcome | undefined): string {
  return tried === undefined ? '' : `\n  ${triedWords[tried]}`;
}

export function incidentsText({incidents, open, ended}: Incidents): string {
  const counts = `${open} open, ${ended} ended`;
  return incidents.length === 0 ? counts : [counts, ...incidents.map(incidentText)].join('\n\n');
}

function incidentText({
  severity,
  title,
  sentence,
  began,
  beganAt,
  ended,
  endedAt,
  origin,
  symptoms,
}: Incident) {
  const since = `since #${began} (${new Date(beganAt).toISOString()})`;
  const until =
    ended === undefined ? '' : `, ended #${ended}${endedAt ? ` (${new Date(endedAt).toISOString()})` : ''}`;
  const lines = symptoms.map(
    one => `  ${one.ended === undefined ? '' : 'was: '}${one.code} ${one.collection}  ${one.message}`,
  );
  return [
    `${severity}  ${title}  ${since}${until}`,
    sentence,
    ...lines,
    ...(origin.fix === undefined ? [] : [`fix: ${origin.fix}${triedText(origin.tried)}`]),
    ...(origin.fixNote === undefined ? [] : [origin.fixNote]),
  ].join('\n');
}

export function checksText({checks}: Checks): string {
  if (checks.length === 0) return 'no problems found';
  return checks
    .map(({code, severity, title, message, hint, unknown}) =>
      [
        `${severity}  ${title}  (${code})${unknown === true ? '  data is not current' : ''}`,
        `  ${message}`,
        ...(hint === undefined ? [] : [`  hint: ${hint}`]),
      ].join('\n'),
    )
    .join('\n');
}

export function searchText({hits, total}: SearchAnswer): string {
  if (hits.length === 0) return 'no matches';
  const names = hits.map(({collection, key}) => `${collection}/${key}`);
  const width = Math.max(...names.map(name => name.length));
  const lines = hits.map(({where, text}, i) => {
    const found = text === undefined ? where : `${where}: ${valueText(text)}`;
    return `${(names[i] as string).padEnd(width)}  ${found}`;
  });
  const more = total - hits.length;
  return [...lines, ...(more > 0 ? [`${more} more; give --limit N`] : [])].join('\n');
}

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
