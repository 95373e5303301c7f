// Writes the table of attacks as Markdown.
import type {Attack} from './attack-table.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

export function renderAttacks(attacks: Record<string, Attack[]>): string {
  const sections = Object.entries(attacks).map(([area, rows]) => {
    const lines = rows.map(
      ({tried, result, finding = '', source, file}) =>
        `| ${cell(tried)} | ${cell(result)} | ${finding} | \`${source ?? file}\` |`,
    );
    return `## ${area}\n\n| what was tried | what happens | finding | test |\n|---|---|---|---|\n${lines.join('\n')}`;
  });
  return `# What was tried against krtscope

Each row is a class of attacks, with the test that tries it. \`npm test\` runs all of them. \`npm run attacks\` runs these tests alone and prints
this table with what happened. This page is generated from \`server/test/attacks/attack-table.ts\`; a test compares the two.

${sections.join('\n\n')}
`;
}
