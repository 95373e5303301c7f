// Writes server/src/built-in-types. Run it after the dumped schemas changed: node scripts/types/main.ts
import {readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kubernetesTypes} from './kubernetes-types.ts';

const folder = join(import.meta.dirname, '..', '..', 'server', 'src', 'built-in-types');
const files = kubernetesTypes();
for (const name of readdirSync(folder))
  if (/\.ts$/.test(name) && !files.has(name)) rmSync(join(folder, name));
for (const [name, text] of files) writeFileSync(join(folder, name), text);
process.stderr.write(`${files.size} files in server/src/built-in-types\n`);
