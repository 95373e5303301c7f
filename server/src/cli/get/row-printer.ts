// Prints the rows of a watch, and says how a terminal shows rows.
import {coloursFor} from '../colours.ts';
import type {CommandEnvironment} from '../command.ts';
import type {CommandLine} from '../command-line.ts';
import type {InstanceTarget} from '../instance-client.ts';
import {printText} from '../print-answer.ts';
import type {NamedCollection} from './kubectl-names.ts';
import {nameText, type OutputFormat, templateRow} from './output-format.ts';
import type {CollectionRow} from './row-columns.ts';
import {TableLayout} from './table-layout.ts';

export interface ShownRows {
  line: CommandLine;
  env: CommandEnvironment;
  format: OutputFormat;
  target: InstanceTarget;
  limit: number;
  keys: readonly string[];
  /** Names have their kind before them, because rows of several kinds are printed. */
  isKindShown?: boolean;
}

/** Rows of a watch: a table first, then a line or a document for each change. */
export class RowPrinter {
  readonly #shown: ShownRows;
  readonly #collection: NamedCollection;
  #table: ((event: string, row: CollectionRow) => string) | undefined;

  constructor(shown: ShownRows, collection: NamedCollection) {
    this.#shown = shown;
    this.#collection = collection;
  }

  async first(rows: readonly CollectionRow[]): Promise<void> {
    const {format, line} = this.#shown;
    if (format.kind === 'table') {
      const isEventShown = line.has('output-watch-events');
      const columns = format.columns(this.#collection, isOneNamespace(line));
      const cells = (event: string, row: CollectionRow) => [
        ...(isEventShown ? [event] : []),
        ...columns.map(({cell}) => cell(row)),
      ];
      const layout = new TableLayout(
        [...(isEventShown ? ['EVENT'] : []), ...columns.map(({name}) => name)],
        [...rows.map(row => cells('ADDED', row)), ...(isEventShown ? [['MODIFIED']] : [])],
        terminalOf(this.#shown.env),
      );
      if (!line.has('no-headers')) process.stdout.write(`${layout.header()}\n`);
      this.#table = (event, row) => layout.line(cells(event, row));
    }
    for (const row of rows) await this.next('ADDED', row);
  }

  async next(event: string, row: CollectionRow): Promise<void> {
    const {format, line} = this.#shown;
    if (this.#table !== undefined) process.stdout.write(`${this.#table(event, row)}\n`);
    else if (format.kind === 'name') printText(nameText(this.#collection, row.key, isOneNamespace(line)));
    else if (format.kind === 'document')
      printText(await format.text(format.isTemplate ? templateRow(row) : row));
  }
}

export const isOneNamespace = (line: CommandLine) =>
  line.text('namespace') !== undefined && !line.has('all-namespaces');

export const terminalOf = (env: CommandEnvironment) => ({
  width: process.stdout.isTTY === true ? process.stdout.columns : undefined,
  colours: coloursFor(process.stdout, env),
});
