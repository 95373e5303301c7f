// `npm run bench [names]`: runs every *.bench.ts of this folder, each in a fresh process, and prints one table.
// A missed goal is a word in the table; only a wrong result or a crash makes the exit code 1.
import {spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import type {Bench, Row} from './support/result-row.ts';
import {printTable} from './support/result-table.ts';

const here = dirname(fileURLToPath(import.meta.url));
const MARK = 'krtscope-bench-rows ';

async function load(file: string): Promise<Bench> {
  const module = (await import(pathToFileURL(join(here, file)).href)) as {default: Bench};
  return module.default;
}

function runInOwnProcess(file: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const flags = ['--expose-gc', '--max-old-space-size=6144', '--no-warnings'];
    const child = spawn(process.execPath, [...flags, fileURLToPath(import.meta.url), '--one', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', chunk => {
      out += String(chunk);
    });
    child.on('error', reject);
    child.on('close', code => {
      const line = out.split('\n').find(l => l.startsWith(MARK));
      if (line === undefined) reject(new Error(`${file} ended with ${code} and no rows\n${out}`));
      else resolve(JSON.parse(line.slice(MARK.length)) as Row[]);
    });
  });
}

/** W1 to W7 come first in the table. */
function isWorkload(file: string): boolean {
  return /^w\d/.test(basename(file));
}

async function all(wanted: readonly string[]): Promise<void> {
  const files = readdirSync(here, {encoding: 'utf8', recursive: true})
    .filter(f => f.endsWith('.bench.ts'))
    .sort(
      (a, b) => Number(isWorkload(b)) - Number(isWorkload(a)) || a.localeCompare(b, 'en', {numeric: true}),
    );
  const names = new Map<string, string>();
  const onDemand = new Set<string>();
  let broken = false;
  for (const file of files) {
    try {
      const bench = await load(file);
      names.set(bench.name, file);
      if (bench.onDemand) onDemand.add(bench.name);
    } catch (error) {
      broken = true;
      process.stderr.write(
        `${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  }
  const unknown = wanted.filter(w => ![...names.keys()].some(n => n.toLowerCase() === w));
  if (unknown.length > 0) {
    console.error(`no benchmark named ${unknown.join(', ')}; there are: ${[...names.keys()].join(', ')}`);
    process.exit(2);
  }
  const rows: Row[] = [];
  const start = performance.now();
  for (const [name, file] of names) {
    if (wanted.length === 0 ? onDemand.has(name) : !wanted.includes(name.toLowerCase())) continue;
    const began = performance.now();
    try {
      rows.push(...(await runInOwnProcess(file)));
      process.stderr.write(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    } catch (error) {
      broken = true;
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  printTable(rows);
  console.log(`\n${rows.length} rows in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  if (broken || rows.some(r => r.wrong !== undefined)) process.exit(1);
}

const args = process.argv.slice(2);
if (args[0] === '--one' && args[1] !== undefined) {
  const rows = await (await load(args[1])).run();
  process.stdout.write(`\n${MARK}${JSON.stringify(rows)}\n`);
} else {
  await all(args.map(a => a.toLowerCase()));
}
