// A session's formulas as http/ sees them: drafts are tried in its lab process, which is started when first needed.
import type {Preview, PreviewRequest} from '@krtscope/shared/formulas.ts';
import type {Formulas} from '../../engine/link/formulas.ts';
import {Lab, type RowSource} from '../../engine/supervisor/lab.ts';
import {preview} from './preview.ts';

export class SessionFormulas implements Formulas {
  readonly #lab: Lab;

  constructor(rows: RowSource) {
    this.#lab = new Lab(rows);
  }

  /** For tests: the process that drafts run in. */
  get labPid(): number | undefined {
    return this.#lab.pid;
  }

  preview(request: PreviewRequest): Promise<Preview> {
    return preview(this.#lab, request);
  }

  async stop(): Promise<void> {
    await this.#lab.stop();
  }
}
