// Every command of package.json that runs Node explains itself when that Node is too old.
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

const {scripts} = JSON.parse(readFileSync('package.json', 'utf8')) as {scripts: Record<string, string>};
const commands = Object.entries(scripts).filter(([, command]) => /\bnode\b/.test(command));

test.each(commands)('npm run %s looks at its Node first', (_, command) => {
  const file = command.split(' ').find(word => /\.m?[jt]s$/.test(word) && word !== './scripts/node26.mjs');
  // The command itself switches to the project's own Node.
  if (file === 'server/bin/krtscope.mjs') return;
  // It must not fail an installation. The script that it starts looks at its Node.
  if (file === 'scripts/prepare.mjs') return;
  const [first] = readFileSync(file ?? '', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('import '));
  const looks = command.includes('--import ./scripts/node26.mjs') || first === "import './node26.mjs';";
  expect(looks).toBe(true);
});
