// The one table of import rules. `node scripts/import-directions.ts --write` makes biome.imports.json from it.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

interface Direction {
  /** Folders of server/src that this folder may import. Lint refuses every other one. */
  may: string[];
  /** What lint says. */
  rule: string;
  /** Tests that may import anything. */
  freeTests?: '*.test.ts' | '*.integration.test.ts';
}

const linkOnly = ['engine/link'];
/** Folders that the main process joins together. */
const joined = [
  'engine/link',
  'engine/supervisor',
  'kube',
  'runtime',
  'cluster',
  'stream',
  'http',
  'attach',
  'redact',
  'archive',
  'telemetry',
];
const noFormula = 'main never runs a formula: only engine/host and engine/lab import what computes';
const sharedOnly = 'engine/link and engine/supervisor import shared only: main never runs a formula';

/** Every folder of server/src. All but krt may also import shared. */
export const directions: Record<string, Direction> = {
  krt: {may: [], rule: 'krt imports nothing outside its folder: the engine is a pure library'},
  graph: {
    may: ['krt'],
    rule: 'graph imports only krt and shared: shipped collections know the engine and nothing else',
  },
  history: {may: ['krt'], rule: 'history imports only krt and shared'},
  explain: {may: ['krt'], rule: 'explain imports only krt and shared', freeTests: '*.test.ts'},
  formula: {may: ['krt'], rule: 'formula imports only krt and shared'},
  'engine/host': {
    may: ['krt', 'graph', 'formula', 'explain', 'history', 'engine/link'],
    rule: 'engine/host imports krt, graph, formula, explain and history, never kube: formulas run without cluster access',
  },
  'engine/lab': {
    may: ['krt', 'formula', 'explain', 'engine/host', 'engine/link'],
    rule: 'engine/lab imports krt, formula, explain, engine/host and engine/link: a draft sees rows and nothing else',
  },
  'engine/slow': {
    may: ['krt', 'formula', 'engine/host', 'engine/lab', 'engine/link'],
    rule: 'engine/slow imports krt, formula, engine/host, engine/lab and engine/link: a slow formula sees rows and nothing else',
  },
  'engine/link': {may: ['engine/supervisor'], rule: sharedOnly},
  'engine/supervisor': {may: ['engine/link'], rule: sharedOnly},
  archive: {
    may: ['engine/link', 'engine/supervisor', 'history'],
    rule: 'archive imports engine/link, engine/supervisor and the files of history: it stores records and never computes',
  },
  telemetry: {
    may: ['engine/link'],
    rule: 'telemetry imports shared and engine/link only: it writes spans from the facts that others send it',
    freeTests: '*.integration.test.ts',
  },
  kube: {may: [], rule: 'kube knows nothing of krt or of the folders above it'},
  redact: {may: [], rule: 'redact imports nothing of ours: it is the same in main and in programs'},
  attach: {
    may: ['redact'],
    rule: 'attach imports only redact and shared: it reads documents, and session/ joins them to an engine',
  },
  'built-in-types': {
    may: [],
    rule: 'built-in-types imports nothing: it is generated, and only the compiler loads it',
  },
  runtime: {
    may: ['kube', 'redact', 'built-in-types'],
    rule: 'runtime imports only kube, redact, built-in-types and shared',
  },
  program: {may: ['krt', 'kube', 'runtime'], rule: 'program imports only krt, kube, runtime and shared'},
  cluster: {
    may: ['runtime', 'kube', 'built-in-types'],
    rule: 'cluster imports only runtime, kube, built-in-types and shared',
  },
  stream: {
    may: linkOnly,
    rule: 'stream imports shared and engine/link only: it asks the engine process, it never computes',
    freeTests: '*.integration.test.ts',
  },
  http: {
    may: linkOnly,
    rule: 'http imports shared and engine/link only: it asks the engine process, it never computes',
    freeTests: '*.integration.test.ts',
  },
  cli: {
    may: ['engine/link', 'start', 'cluster', 'redact'],
    rule: 'cli imports shared, engine/link, start, redact and the columns of cluster/table: a terminal asks the running server',
    freeTests: '*.integration.test.ts',
  },
  session: {may: [...joined, 'start', 'cli'], rule: noFormula, freeTests: '*.test.ts'},
  start: {may: [...joined, 'session', 'cli'], rule: noFormula, freeTests: '*.test.ts'},
};

export const publicKrtRule = 'import krt through krt/index.ts only: its folders may change';
export const clientNodeRule =
  'only kube/ imports @kubernetes/client-node: other folders reach the cluster through kube/';
export const sharedRule = 'shared imports nothing of ours: everything may depend on the protocol';
export const webRule = 'web imports only shared: the page depends on the protocol, never on the engine';

interface Pattern {
  group: string[];
  message: string;
}

interface Override {
  includes: string[];
  linter: {rules: object};
}

const restricted = (includes: string[], ...patterns: Pattern[]): Override => ({
  includes,
  linter: {rules: {style: {noRestrictedImports: {level: 'error', options: {patterns}}}}},
});

const publicKrt: Pattern = {group: ['**/krt/*/**'], message: publicKrtRule};
const clientNode: Pattern = {
  group: ['@kubernetes/client-node', '@kubernetes/client-node/**'],
  message: clientNodeRule,
};

/** A folder of engine/ by its own name: its neighbours import it as `../link/a.ts`. */
const pattern = (folder: string): string => `**/${folder.replace('engine/', '')}/**`;

/** The main process compiles formulas and never runs them. */
const compilesFormulas = (folder: string): boolean => folder === 'session' || folder === 'start';

function folderRules(folder: string, {may, rule, freeTests}: Direction): Override {
  const refused = Object.keys(directions).filter(other => other !== folder && !may.includes(other));
  const group = [...refused.map(pattern), '**/web/**'];
  if (compilesFormulas(folder)) group.push('!**/formula/compile/**');
  const includes = [`server/src/${folder}/**`];
  // The files beside the folders belong to the main process.
  if (folder === 'start') includes.push('server/src/*.ts');
  if (freeTests) includes.push(`!**/${freeTests}`);
  return restricted(
    includes,
    {group, message: rule},
    ...(may.includes('krt') ? [publicKrt] : []),
    ...(folder === 'kube' ? [] : [clientNode]),
  );
}

/** krt is checked by distance: an import that leaves its folder leaves the library. */
function krtRules(): Override[] {
  const {rule} = directions.krt!;
  const outside = ['@krtscope/**', 'node:*', '@kubernetes/**'];
  return [
    restricted(['server/src/krt/**'], {group: ['../../**', ...outside], message: rule}),
    restricted(['server/src/krt/*.ts'], {group: ['../**', ...outside], message: rule}),
  ];
}

/** The overrides of biome.imports.json. A later one replaces the patterns of an earlier one. */
export function importRules(): {overrides: Override[]} {
  const shared = ['**/server/**', '**/web/**', '@krtscope/server/**', '@krtscope/web/**'];
  const server = ['**/server/**', '@krtscope/server', '@krtscope/server/**'];
  return {
    overrides: [
      {
        includes: ['server/**', 'shared/**', 'scripts/**', 'web/**'],
        linter: {rules: {suspicious: {noImportCycles: 'error'}}},
      },
      restricted(['server/**', 'scripts/**', 'web/**'], {
        ...publicKrt,
        group: [...publicKrt.group, '!**/krt/testing/**'],
      }),
      ...krtRules(),
      restricted(['shared/src/**'], {group: shared, message: sharedRule}),
      restricted(['web/src/**'], {group: server, message: webRule}, clientNode),
      ...Object.entries(directions)
        .filter(([folder]) => folder !== 'krt')
        .map(([folder, direction]) => folderRules(folder, direction)),
    ],
  };
}

export const rulesFile = fileURLToPath(new URL('../biome.imports.json', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) {
    writeFileSync(rulesFile, JSON.stringify(importRules()));
    const biome = join('node_modules', '.bin', 'biome');
    spawnSync(biome, ['format', '--write', rulesFile], {stdio: 'inherit'});
  } else if (JSON.stringify(JSON.parse(readFileSync(rulesFile, 'utf8'))) !== JSON.stringify(importRules())) {
    process.stderr.write('biome.imports.json differs: run `node scripts/import-directions.ts --write`\n');
    process.exitCode = 1;
  }
}
