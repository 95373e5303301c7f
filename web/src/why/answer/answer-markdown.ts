// An answer as Markdown for an issue. The server has already redacted secrets.
import type {RunCause} from '@krtscope/shared/run.ts';
import type {Hop, PathChange, Why, WhyNot} from '@krtscope/shared/why.ts';
import {inlineText} from '../../ui/code/yaml-lines.ts';
import {formatSpan} from '../waterfall.ts';

export function whyMarkdown(why: Why, link: string): string {
  const lines = [
    `### Why ${why.collection} \`${why.key}\` ${why.outcome}`,
    '',
    endSentence(why.sentence),
    '',
  ];
  lines.push('**Cause**, newest first', '');
  for (const hop of why.causes) lines.push(...hopLines(hop));
  const ran = why.effects.filter(effect => effect.run !== undefined);
  if (ran.length > 0) {
    lines.push('', `**Effect**: ${ran.length} ran`, '');
    for (const effect of why.effects.slice(0, 20))
      lines.push(
        `${'  '.repeat(effect.depth)}- ${effect.collection} \`${effect.key}\` ${effect.stopped ? `stopped: ${effect.stopped.text}` : (effect.outcome ?? '')}`,
      );
    if (why.effects.length > 20) lines.push(`- and ${why.effects.length - 20} more`);
  }
  if (why.together.length > 0) {
    lines.push('', '**Same batch, not a cause**', '');
    for (const one of why.together.slice(0, 10))
      lines.push(`- ${one.collection} \`${one.key}\` ${one.event}: ${one.reason}`);
  }
  lines.push('', `[open in krtscope](${link}), batch #${why.sequence}`, '');
  return lines.join('\n');
}

function hopLines(hop: Hop): string[] {
  const how = hop.cause ? `  - ${causeText(hop.cause)}` : undefined;
  const time = hop.duration === undefined ? '' : `, ran ${formatSpan(hop.duration)}`;
  const by = hop.writer ? `, by ${hop.writer.manager}` : '';
  const head = `- ${hop.collection} \`${hop.key}\` ${hop.outcome ?? hop.event ?? ''}${time}${by}`;
  return [...(how ? [how] : []), head, ...changeBlock(hop.changes)];
}

function changeBlock(changes: readonly PathChange[]): string[] {
  if (changes.length === 0) return [];
  const lines = changes
    .slice(0, 12)
    .flatMap(change => [
      `  - ${change.path}: ${inlineText(change.old)}`,
      `  + ${change.path}: ${inlineText(change.new)}`,
    ]);
  return ['', '  ```diff', ...lines, '  ```', ''];
}

/** How a hop depends on the previous one, in one line. */
export function causeText(cause: RunCause): string {
  if (cause.kind === 'input') return 'its primary input';
  if (cause.kind === 'fetch')
    return `fetch(${cause.collection ?? ''}, ${cause.filter ?? 'all'}) matched ${cause.matched ?? 'new'}`;
  if (cause.kind === 'synced') return `${cause.collection ?? 'its input'} became synced`;
  return cause.kind;
}

export function whyNotMarkdown(answer: WhyNot, link: string): string {
  const expected = answer.expected
    ? ` did not react to ${answer.expected.collection} \`${answer.expected.key}\``
    : ' has no output';
  const lines = [
    `### Why ${answer.collection} \`${answer.key}\`${expected}`,
    '',
    `**${answer.verdict}**: ${endSentence(answer.sentence)}`,
    '',
  ];
  const {clauses, looked, command} = answer.evidence;
  if (clauses.length > 0) {
    lines.push('| Clause | Wants | Old | New | Result |', '|---|---|---|---|---|');
    for (const clause of clauses)
      lines.push(
        `| ${clause.clause} | ${clause.wants} | ${clause.old ?? ''} | ${clause.new ?? ''} | ${clause.matchesNew ? 'match' : '**no match**'} |`,
      );
    lines.push('');
  }
  for (const fetch of looked)
    lines.push(`- fetched ${fetch.collection}, ${fetch.filter}: ${fetch.matched} matched`);
  if (command) lines.push('', '```', command, '```');
  lines.push('', `[open in krtscope](${link}), batch #${answer.sequence}`, '');
  return lines.join('\n');
}

export function endSentence(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
