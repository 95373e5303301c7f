// The text of a draft made ready to run, for all who try it: for the rows in view, then for all rows, then whenever the
// cluster moves. To evaluate it anew each time would have the machine begin each time with what it has learned of it.
import type {CompiledFormula} from '../../formula/compile/formula-compiler.ts';
import {SandboxedFormula} from '../../formula/sandbox/sandboxed-formula.ts';
import type {HandlerContext} from '../../krt/index.ts';
import type {LabDraft} from '../link/lab-messages.ts';
import type {RowCopies} from './row-copies.ts';

const NO_LINES: readonly never[] = [];
/** Texts that are kept ready: somebody may have two pages open. */
const MAX_PREPARED = 4;

export class PreparedDraft {
  readonly formula: SandboxedFormula;
  readonly run = (ctx: HandlerContext, item: unknown, input: string) => this.formula.run(ctx, item, input);
  readonly #draft: LabDraft;
  readonly #names: readonly string[];
  readonly #collections: readonly unknown[];
  #lines: readonly number[] = NO_LINES;
  #single: readonly number[] = NO_LINES;
  /** The run's own list, once it has made two. */
  #own: number[] | undefined;

  /** Throws what is wrong with the draft as a whole. */
  constructor(held: RowCopies, draft: LabDraft) {
    const {name, kind} = draft;
    const compiled = draft.compiled as CompiledFormula;
    this.#draft = draft;
    this.#names = compiled.names;
    this.#collections = compiled.names.map(one => held.collection(one));
    this.formula = new SandboxedFormula({name, kind, compiled}, held, {
      onFetch: line => this.#fetched(line),
      forgetsKeys: true,
      givesFrozen: true,
    });
  }

  /** Whether it is this draft, over the collections that there are. */
  isFor(held: RowCopies, {name, kind, compiled}: LabDraft): boolean {
    const own = this.#draft;
    return (
      own.name === name &&
      own.kind === kind &&
      (own.compiled as CompiledFormula).text === (compiled as CompiledFormula).text &&
      this.#names.every((one, i) => held.collection(one) === this.#collections[i])
    );
  }

  /** A run begins. */
  begin(): void {
    this.#lines = NO_LINES;
    this.#own = undefined;
  }

  /** Of the fetches that the run has made. */
  get lines(): readonly number[] {
    return this.#lines;
  }

  // Most runs make one fetch, and all the same one: they share its list.
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

/** Those of a lab, the last used last. */
export class PreparedDrafts {
  readonly #held: RowCopies;
  #ready: PreparedDraft[] = [];

  constructor(held: RowCopies) {
    this.#held = held;
  }

  of(draft: LabDraft): PreparedDraft {
    const found =
      this.#ready.find(one => one.isFor(this.#held, draft)) ?? new PreparedDraft(this.#held, draft);
    this.#ready = [...this.#ready.filter(one => one !== found), found].slice(-MAX_PREPARED);
    return found;
  }
}
