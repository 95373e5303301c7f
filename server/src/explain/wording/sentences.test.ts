// Renders every sentence template into docs/sentences.md, so that a review sees each changed sentence in the diff.
import {join} from 'node:path';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {reconcileSamples} from '../../engine/host/query/controllers/testing-reconcile-samples.ts';
import type {CheckWords} from './cluster-check-sentence.ts';
import {samples, templateModules} from './samples/testing-sentence-samples.ts';
import {toPlainText} from './say.ts';

const path = join(import.meta.dirname, '../../../../docs/sentences.md');

/** Exported values that are not templates. */
const notTemplates = new Set(['NO_REASON']);

function lineOf(rendered: string | readonly SentencePart[] | CheckWords | undefined): string {
  if (typeof rendered === 'string') return rendered;
  if (rendered === undefined) return '(nothing)';
  if (!('title' in rendered)) return toPlainText(rendered);
  const {title, message, hint} = rendered;
  return `**${title}** ${message}${hint === undefined ? '' : ` (hint: ${hint})`}`;
}

function section(title: string, templates: Record<string, readonly Parameters<typeof lineOf>[0][]>): string {
  const lists = Object.entries(templates).map(
    ([name, rendered]) => `### ${name}\n\n${rendered.map(one => `- ${lineOf(one)}`).join('\n')}\n`,
  );
  return `## ${title}\n\n${lists.join('\n')}`;
}

const rendered = [
  '# Sentences',
  'Every sentence that krtscope makes, with sample data. `vitest run -u server/src/explain/wording` writes this file; a test compares it.',
  ...Object.entries(samples).map(([name, templates]) => section(name, templates)),
  section('reconcile-sentences', reconcileSamples),
].join('\n\n');

test('every template has a sample', () => {
  for (const [name, module] of Object.entries(templateModules)) {
    const templates = Object.keys(module).filter(one => !notTemplates.has(one));
    expect([name, Object.keys(samples[name] ?? {}).sort()]).toEqual([name, templates.sort()]);
  }
});

test('docs/sentences.md has every sentence as it is', async () => {
  await expect(rendered).toMatchFileSnapshot(path);
});

test('no sentence has an empty value, a doubled space or a doubled period', () => {
  expect(rendered).not.toMatch(/undefined|\bnull\b|\[object|[^ \n] {2}\S|\.\.(?!\.)/);
});
