// Keeps evaluated drafts ready: for the rows in view, for all rows, and for later changes of the cluster. Evaluating
// a text anew would discard V8's optimized code.
import type {CompiledFormula} from '../../formula/compile/formula-compiler.ts';
import {SandboxedFormula} from '../../formula/sandbox/sandboxed-formula.ts';
import type {HandlerContext} from '../../krt/index.ts';
import type {LabDraft} from '../link/lab-messages.ts';
import type {RowCopies} from './row-copies.ts';

const NO_LINES: readonly never[] = [];
/** The number of texts to keep: a user may have two pages open. */
const MAX_PREPARED = 4;

export class PreparedDraft {
  readonly formula: SandboxedFormula;
  readonly run = (ctx: HandlerContext, item: unknown, input: string) => this.formula.run(ctx, item, input);
  readonly #draft: LabDraft;
  readonly #names: readonly string[];
  readonly #collections: readonly unknown[];
  #lines: readonly number[] = NO_LINES;
  #single: readonly number[] = NO_LINES;
  /** The run's own list, once it has made two fetches. */
  #own: number[] | undefined;

  /** Throws if the draft as a whole is wrong. */
  constructor(copies: RowCopies, draft: LabDraft) {
    const {name, kind} = draft;
    const compiled = draft.compiled as CompiledFormula;
    this.#draft = draft;
    this.#names = compiled.names;
    this.#collections = compiled.names.map(one => copies.collection(one));
    this.formula = new SandboxedFormula({name, kind, compiled}, copies, {
      onFetch: line => this.#fetched(line),
      forgetsKeys: true,
      givesFrozen: true,
    });
  }

  /** Whether it fits this draft and the current collections. */
  isFor(copies: RowCopies, {name, kind, compiled}: LabDraft): boolean {
    const own = this.#draft;
    return (
      own.name === name &&
      own.kind === kind &&
      (own.compiled as CompiledFormula).hash === (compiled as CompiledFormula).hash &&
      this.#names.every((one, i) => copies.collection(one) === this.#collections[i])
    );
  }

  /** Call it at the beginning of a run. */
  begin(): void {
    this.#lines = NO_LINES;
    this.#own = undefined;
  }

  /** The lines of the run's fetches. */
  get lines(): readonly number[] {
    return this.#lines;
  }

  // Most runs make the same single fetch, so they share its list.
  #fetched(line: number): void {
    if (this.#own !== undefined) this.#own.push(line);
    else if (this.#lines.length === 1) {
      this.#own = [...this.#lines, line];
      this.#lines = this.#own;
    } else {
      if (this.#single[0] !== line) this.#single = [line];
      this.#lines = this.#single;
    }
  }
}

/** The drafts of a lab process, the most recently used last. */
export class PreparedDrafts {
  readonly #copies: RowCopies;
  #ready: PreparedDraft[] = [];

  constructor(copies: RowCopies) {
    this.#copies = copies;
  }

  of(draft: LabDraft): PreparedDraft {
    const found =
      this.#ready.find(one => one.isFor(this.#copies, draft)) ?? new PreparedDraft(this.#copies, draft);
    // Each trial counts the rows anew.
    found.formula.sizes.clear();
    this.#ready = [...this.#ready.filter(one => one !== found), found].slice(-MAX_PREPARED);
    return found;
  }
}
