// An origin as Markdown for an issue. The server has already redacted secrets.
import type {Origin} from '@krtscope/shared/origin.ts';
import {inlineText} from '../ui/code/yaml-lines.ts';

export function originMarkdown(origin: Origin, link: string): string {
  const of = origin.field === undefined ? '' : `, field \`${origin.field}\``;
  const lines = [
    `### Why ${origin.collection} \`${origin.key}\`${of} has this value`,
    '',
    origin.sentence,
    '',
  ];
  const {write} = origin;
  if (write) {
    const by = write.manager ? ` by ${write.manager}` : '';
    lines.push(
      `**The write**${by}, ${write.time}, #${write.sequence}: ${write.collection} \`${write.key}\` ${write.event}`,
    );
    if (write.path !== undefined)
      lines.push(
        '',
        '```diff',
        `- ${write.path}: ${inlineText(write.old)}`,
        `+ ${write.path}: ${inlineText(write.new)}`,
        '```',
      );
    lines.push('');
  }
  lines.push('**Steps**, from the item back to the write', '');
  for (const [at, step] of origin.steps.entries())
    lines.push(`${at + 1}. ${step.sentence}${step.run ? ` (run #${step.run})` : ''}`);
  if (origin.fix) lines.push('', '**Fix**', '', '```', origin.fix, '```');
  lines.push('', `[open in krtscope](${link}), #${origin.sequence}`, '');
  return lines.join('\n');
}
