// The TypeScript language service for one formula: diagnostics, completion, hover, signatures.
// Runs in the worker only, because the compiler is larger than the rest of the page.
import ts from 'typescript';
import {findFetchSites, findReadPaths} from './formula-analysis.ts';
import type {
  CompletionOffers,
  FormulaAnalysis,
  FormulaShape,
  TypeDiagnostic,
  TypeTooltip,
} from './protocol.ts';

const CODE = '/formula.ts';
const SCOPE = '/scope.d.ts';
const MAX_COMPLETIONS = 400;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  lib: ['lib.es2023.d.ts'],
  strict: true,
  noEmit: true,
  allowJs: false,
  types: [],
  // A label can be missing in a cluster, so a formula should check for it.
  noUncheckedIndexedAccess: true,
  noImplicitAny: true,
};

/** These codes (unused names, unused value) do not apply to a single expression. */
const ignoredDiagnostics = new Set([6133, 6192, 2695]);

export class FormulaLanguageService {
  readonly #libs: ReadonlyMap<string, string>;
  readonly #files = new Map<string, {text: string; version: number}>();
  readonly #service: ts.LanguageService;
  #head = 0;
  #code = '';
  #hasScope = false;

  constructor(libs: ReadonlyMap<string, string>) {
    this.#libs = libs;
    this.#write(SCOPE, '');
    this.#write(CODE, '');
    this.#service = ts.createLanguageService(this.#host(), ts.createDocumentRegistry());
  }

  setScope(text: string): void {
    this.#write(SCOPE, text);
    this.#hasScope = true;
  }

  read(code: string, shape: FormulaShape): FormulaAnalysis {
    this.#open(code, shape);
    const found = [
      ...this.#service.getSyntacticDiagnostics(CODE),
      // Before the first types arrive every name is unknown: those errors would be false.
      ...(this.#hasScope ? this.#service.getSemanticDiagnostics(CODE) : []),
    ];
    const program = this.#service.getProgram()!;
    const source = program.getSourceFile(CODE)!;
    return {
      diagnostics: found.filter(one => !ignoredDiagnostics.has(one.code)).map(one => this.#diagnostic(one)),
      fetches: findFetchSites(source, this.#head),
      reads: findReadPaths(source, program.getTypeChecker()),
    };
  }

  complete(code: string, shape: FormulaShape, at: number): CompletionOffers | null {
    this.#open(code, shape);
    const place = at + this.#head;
    const found = this.#service.getCompletionsAtPosition(CODE, place, {
      includeCompletionsWithInsertText: true,
      includeAutomaticOptionalChainCompletions: true,
    });
    if (found === undefined) return null;
    const word = /[\w$]*$/.exec(code.slice(0, at))?.[0] ?? '';
    const span = found.optionalReplacementSpan;
    const offers = found.entries
      .filter(entry => entry.kind !== ts.ScriptElementKind.warning && !isInternalName(entry.name))
      .slice(0, MAX_COMPLETIONS)
      .map(entry => ({
        label: entry.name,
        kind: entry.kind as string,
        rank: entry.sortText,
        insert: entry.insertText,
        detail: entry.labelDetails?.description,
      }));
    const from = span ? span.start - this.#head : at - word.length;
    // A completion that turns `.name` into `?.name` starts at the dot.
    const dotted = found.entries.find(entry => entry.replacementSpan !== undefined)?.replacementSpan;
    return {
      from: dotted && offers.every(one => one.insert) ? dotted.start - this.#head : from,
      to: at,
      offers,
    };
  }

  describe(
    code: string,
    shape: FormulaShape,
    at: number,
    label: string,
  ): {code: string; words: string} | null {
    this.#open(code, shape);
    const detail = this.#service.getCompletionEntryDetails(
      CODE,
      at + this.#head,
      label,
      undefined,
      undefined,
      undefined,
      undefined,
    );
    if (detail === undefined) return null;
    return {code: displayText(detail.displayParts), words: displayText(detail.documentation)};
  }

  hover(code: string, shape: FormulaShape, at: number): TypeTooltip | null {
    this.#open(code, shape);
    const info = this.#service.getQuickInfoAtPosition(CODE, at + this.#head);
    if (info === undefined || info.textSpan.start < this.#head) return null;
    const from = info.textSpan.start - this.#head;
    return {
      from,
      to: from + info.textSpan.length,
      code: displayText(info.displayParts),
      words: displayText(info.documentation),
    };
  }

  signature(code: string, shape: FormulaShape, at: number): TypeTooltip | null {
    this.#open(code, shape);
    const help = this.#service.getSignatureHelpItems(CODE, at + this.#head, undefined);
    const item = help?.items[help.selectedItemIndex];
    if (help === undefined || item === undefined || help.applicableSpan.start < this.#head) return null;
    const parameters = item.parameters.map(one => displayText(one.displayParts));
    const from = help.applicableSpan.start - this.#head;
    return {
      from,
      to: from + help.applicableSpan.length,
      code: `${displayText(item.prefixDisplayParts)}${parameters.join(', ')}${displayText(item.suffixDisplayParts)}`,
      words:
        displayText(item.parameters[help.argumentIndex]?.documentation) || displayText(item.documentation),
    };
  }

  #diagnostic(found: ts.Diagnostic): TypeDiagnostic {
    const end = this.#code.length;
    const from = Math.min(end, Math.max(0, (found.start ?? 0) - this.#head));
    const to = Math.min(end, Math.max(from, from + (found.length ?? 0)));
    return {
      from,
      to,
      message: ts.flattenDiagnosticMessageText(found.messageText, '\n'),
      severity: found.category === ts.DiagnosticCategory.Error ? 'error' : 'warning',
    };
  }

  #open(code: string, shape: FormulaShape): void {
    const head = formulaHeader(shape);
    this.#head = head.length;
    this.#code = code;
    this.#write(CODE, `${head}${code}\n;export {};\n`);
  }

  #write(name: string, text: string): void {
    const old = this.#files.get(name);
    if (old?.text === text) return;
    this.#files.set(name, {text, version: (old?.version ?? 0) + 1});
  }

  #host(): ts.LanguageServiceHost {
    const textOf = (name: string) =>
      this.#files.get(name)?.text ?? this.#libs.get(name.slice(name.lastIndexOf('/') + 1));
    return {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [CODE, SCOPE],
      getScriptVersion: name => String(this.#files.get(name)?.version ?? 0),
      getScriptSnapshot: name => {
        const text = textOf(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib.es2023.d.ts',
      fileExists: name => textOf(name) !== undefined,
      readFile: textOf,
    };
  }
}

/** Gives the parameters their types. It is on the first line, so that line numbers stay the same. */
function formulaHeader(shape: FormulaShape): string {
  if (shape.kind === 'singleton' || shape.input === undefined) return 'const $krtscope: Singleton = ';
  const item = `Items[${JSON.stringify(shape.input)}]`;
  return `const $krtscope: ${shape.kind === 'many' ? 'Many' : 'One'}<${item}> = `;
}

/** The scope marks its types with properties such as `' item'`, which a formula never reads. */
function isInternalName(name: string): boolean {
  return name.startsWith('$krtscope') || name.startsWith(' ');
}

function displayText(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return ts.displayPartsToString(parts as ts.SymbolDisplayPart[] | undefined);
}
