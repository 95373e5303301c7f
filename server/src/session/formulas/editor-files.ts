// What lies beside the formulas for the user's own editor: declarations of everything that a formula or a graph module
// finds, with the types of this cluster, and a tsconfig.json that is the user's once it is there.
import {readFile, rename, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {EngineLink} from '../../engine/link/engine-link.ts';
import {moduleDeclarations} from '../types/module-declarations.ts';

const LOOK_MS = 3000;

const tsconfig = `{
  "compilerOptions": {
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "lib": ["esnext"],
    "types": [],
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true
  },
  "include": ["*.ts", "**/*.ts"]
}
`;

const declarationsHeader = `// Written by krtscope, again and again: what formulas and graph modules find, with the types of this cluster.
// docs/formulas.md explains it in words.

`;

const formulaDeclarations = `
interface FormulaTest {
  input: string;
  items: unknown[];
}
/** Resources that become sources first, and rows that are held fast. */
interface FormulaExtras {
  sources?: string[];
  tests?: FormulaTest[];
}
/** One file, one formula: the file's name is the collection's. Options are written out. */
declare function formula<N extends keyof Items>(options: FormulaExtras & {input: N; kind?: 'one'}, code: One<Items[N]>): void;
declare function formula<N extends keyof Items>(options: FormulaExtras & {input: N; kind: 'many'}, code: Many<Items[N]>): void;
declare function formula(options: FormulaExtras & {kind?: 'singleton'; input?: undefined}, code: Singleton): void;
`;

export interface EditorFilesOptions {
  readonly folder: string;
  readonly link: EngineLink;
  types(collections: readonly string[]): Promise<string>;
}

export class EditorFiles {
  readonly #options: EditorFilesOptions;
  #timer: NodeJS.Timeout | undefined;
  #shape = '';
  #closed = false;

  constructor(options: EditorFilesOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      // The engine process or the cluster is away: the next look tries again.
      void this.#update()
        .catch(() => {})
        .finally(() => this.start());
    }, LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #update(): Promise<void> {
    const {folder, link, types} = this.#options;
    // Who keeps nothing gets no folder either.
    if (
      !(await stat(folder).then(
        found => found.isDirectory(),
        () => false,
      ))
    )
      return;
    const {collections} = (await link.ask({ask: 'graph'})) as Graph;
    const shape = collections.map(({name, size, synced}) => `${name} ${size > 0} ${synced}`).join();
    if (shape === this.#shape) return;
    const text =
      declarationsHeader +
      (await types(collections.map(({name}) => name))) +
      formulaDeclarations +
      moduleDeclarations;
    await writeIfChanged(join(folder, 'krtscope.d.ts'), text);
    await writeIfChanged(join(folder, 'tsconfig.json'), tsconfig, true);
    this.#shape = shape;
  }
}

async function writeIfChanged(path: string, text: string, onlyNew = false): Promise<void> {
  const old = await readFile(path, 'utf8').catch(() => undefined);
  if (old === text || (onlyNew && old !== undefined)) return;
  const made = `${path}.${process.pid}.tmp`;
  await writeFile(made, text);
  await rename(made, path);
}
