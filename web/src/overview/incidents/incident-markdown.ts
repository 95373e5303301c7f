// An incident as Markdown for an issue tracker: what happened, the write, the steps, the symptoms, the command.
// Pure.
import type {Incident} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {inlineText} from '../../ui/code/yaml-lines.ts';

export function incidentMarkdown(incident: Incident, origin: Origin | undefined, link: string): string {
  const {write, fix} = incident.origin;
  const began = new Date(incident.beganAt).toISOString();
  const state =
    incident.endedAt === undefined
      ? 'open'
      : `ended ${new Date(incident.endedAt).toISOString()} (#${incident.ended})`;
  const lines = [
    `## ${incident.title}`,
    '',
    incident.sentence,
    '',
    `- severity: ${incident.severity}`,
    `- since: ${began} (#${incident.began}), ${state}`,
  ];
  if (write) {
    const by = write.manager ?? 'unknown writer';
    lines.push(
      `- written by: ${by}, ${write.time} (#${write.sequence}), ${write.collection} \`${write.key}\``,
    );
    if (write.path !== undefined)
      lines.push(
        '',
        '```diff',
        `- ${write.path}: ${inlineText(write.old)}`,
        `+ ${write.path}: ${inlineText(write.new)}`,
        '```',
      );
  }
  if (origin && origin.steps.length > 0) {
    lines.push('', '### How it began', '');
    for (const [at, step] of origin.steps.toReversed().entries()) lines.push(`${at + 1}. ${step.sentence}`);
  }
  lines.push('', `### Symptoms (${incident.symptoms.length})`, '');
  for (const symptom of incident.symptoms) {
    const keys = symptom.keys.map(key => `\`${key}\``).join(', ');
    lines.push(`- **${symptom.title}** (${symptom.code}), ${symptom.collection} ${keys}: ${symptom.message}`);
    if (symptom.hint) lines.push(`  - \`${symptom.hint}\``);
  }
  if (fix) lines.push('', '### Fix', '', '```', fix, '```');
  lines.push('', `[open in krtscope](${link})`, '');
  return lines.join('\n');
}
