// Completion, hover, signatures and diagnostics in the editor. The worker answers; late answers are dropped.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete';
import {type Diagnostic, linter} from '@codemirror/lint';
import {type Extension, StateEffect, StateField} from '@codemirror/state';
import {
  EditorView,
  hoverTooltip,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type {CompletionOffer, FormulaAnalysis, FormulaShape, TypeTooltip} from '../types/protocol.ts';
import type {TypeClient} from '../types/type-client.ts';

interface LanguageFeatureOptions {
  types: TypeClient;
  shape: () => FormulaShape;
  /** The server's errors of this exact code. They are shown beside those of TypeScript. */
  compileErrors: (code: string) => {line: number; column: number; message: string}[];
  onAnalysis: (analysis: FormulaAnalysis, code: string) => void;
}

/** Asks for diagnostics of an unchanged text: new types or a server answer arrived. */
export const refreshDiagnostics = StateEffect.define<null>();

export function languageFeatures(options: LanguageFeatureOptions): Extension {
  return [
    autocompletion({
      override: [context => complete(options, context)],
      icons: false,
      // A fast typist must not get an indent in place of the completion.
      interactionDelay: 0,
      maxRenderedOptions: 60,
    }),
    linter(view => findDiagnostics(options, view), {
      delay: 250,
      needsRefresh: update =>
        update.transactions.some(one => one.effects.some(effect => effect.is(refreshDiagnostics))),
    }),
    hoverTooltip(async (view, at) => {
      const tooltip = await options.types.ask({
        ask: 'hover',
        code: view.state.doc.toString(),
        shape: options.shape(),
        at,
      });
      return tooltip
        ? {pos: tooltip.from, end: tooltip.to, above: true, create: () => ({dom: createTooltipBox(tooltip)})}
        : null;
    }),
    signatureHelp(options),
    openOnDot,
  ];
}

async function findDiagnostics(
  {types, shape, compileErrors, onAnalysis}: LanguageFeatureOptions,
  view: EditorView,
): Promise<Diagnostic[]> {
  const {doc} = view.state;
  const code = doc.toString();
  const analysis = await types.ask({ask: 'read', code, shape: shape()});
  if (view.state.doc !== doc) return [];
  if (analysis) onAnalysis(analysis, code);
  const diagnostics: Diagnostic[] = (analysis?.diagnostics ?? []).map(diagnostic => ({
    from: diagnostic.from,
    to: diagnostic.to,
    severity: diagnostic.severity,
    message: diagnostic.message,
    source: 'TypeScript',
  }));
  for (const {line, column, message} of compileErrors(code)) {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const from = Math.min(at.to, at.from + Math.max(0, column - 1));
    const word = /^[\w$]+/.exec(doc.sliceString(from, at.to))?.[0].length ?? 1;
    diagnostics.push({
      from,
      to: Math.min(at.to, from + word),
      severity: 'error',
      message,
      source: 'krtscope',
    });
  }
  return diagnostics;
}

async function complete(
  {types, shape}: LanguageFeatureOptions,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const before = context.matchBefore(/[\w$]+|\./);
  if (before === null && !context.explicit) return null;
  const code = context.state.doc.toString();
  const found = await types.ask({ask: 'complete', code, shape: shape(), at: context.pos});
  if (found === null || context.aborted) return null;
  const options = found.offers.map(offer => toCompletion(offer, {types, shape}, code, context.pos));
  const isMember = code[found.from - 1] === '.' || before?.text === '.';
  return {
    from: found.from,
    options: isMember ? options : [...contextCompletions, ...options],
    validFor: /^[\w$]*$/,
  };
}

/** `fe` should lead to `ctx.fetch`, although TypeScript completes only names in scope. */
const contextCompletions: readonly Completion[] = [
  {label: 'ctx.fetch', detail: 'items of another collection', boost: 99},
  {label: 'ctx.fetchOne', detail: 'one item of another collection', boost: 98},
];

/** The usual members first. `discard` is rare and would be first by the alphabet. */
const memberBoosts: Record<string, number> = {fetch: 20, fetchOne: 19, metadata: 10, spec: 9, status: 8};

function toCompletion(
  offer: CompletionOffer,
  {types, shape}: Pick<LanguageFeatureOptions, 'types' | 'shape'>,
  code: string,
  at: number,
): Completion {
  return {
    label: offer.label,
    apply: offer.insert,
    detail: offer.detail ?? completionKindLabels[offer.kind] ?? '',
    // TypeScript ranks by a text. Local names come first, globals last.
    boost: memberBoosts[offer.label] ?? (offer.rank <= '11' ? 2 : offer.rank >= '15' ? -2 : 0),
    info: async () => {
      const tooltip = await types.ask({ask: 'describe', code, shape: shape(), at, label: offer.label});
      return tooltip ? createTooltipBox(tooltip) : null;
    },
  };
}

const completionKindLabels: Record<string, string> = {
  property: 'field',
  method: 'method',
  const: 'const',
  function: 'function',
  var: 'global',
  keyword: 'keyword',
  parameter: 'parameter',
  interface: 'type',
};

function createTooltipBox({code, words}: {code: string; words: string}): HTMLElement {
  const box = document.createElement('div');
  box.className = 'type-tooltip';
  const text = document.createElement('pre');
  text.className = 'type-tooltip-code';
  text.textContent = code;
  box.append(text);
  if (words !== '') {
    const paragraph = document.createElement('p');
    paragraph.className = 'type-tooltip-words';
    paragraph.textContent = words;
    box.append(paragraph);
  }
  return box;
}

/** A typed dot opens the completion list. */
const openOnDot = EditorView.updateListener.of(update => {
  if (!update.docChanged) return;
  update.transactions.forEach(transaction => {
    if (!transaction.isUserEvent('input.type')) return;
    transaction.changes.iterChanges((_from, _to, _start, _end, text) => {
      if (text.toString().endsWith('.')) startCompletion(update.view);
    });
  });
});

const setSignature = StateEffect.define<TypeTooltip | null>();
const signatureField = StateField.define<Tooltip | null>({
  create: () => null,
  update(current, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setSignature)) continue;
      const tooltip = effect.value;
      return tooltip
        ? {
            pos: Math.min(tooltip.from, transaction.newDoc.length),
            above: true,
            create: () => ({dom: createTooltipBox(tooltip)}),
          }
        : null;
    }
    return transaction.docChanged && current
      ? {...current, pos: transaction.changes.mapPos(current.pos)}
      : current;
  },
  provide: field => showTooltip.from(field),
});

/** Shows the parameters of a call while the caret is between its parentheses. */
function signatureHelp({types, shape}: LanguageFeatureOptions): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      #turn = 0;
      #shown = false;

      update(update: ViewUpdate): void {
        if (!update.docChanged && !update.selectionSet) return;
        const typedNow = update.transactions.some(one => one.isUserEvent('input'));
        const at = update.state.selection.main.head;
        if (!typedNow && !this.#shown) return;
        if (!this.#shown && !/[(,]\s*$/.test(update.state.sliceDoc(Math.max(0, at - 3), at))) return;
        const turn = ++this.#turn;
        const code = update.state.doc.toString();
        void types.ask({ask: 'signature', code, shape: shape(), at}).then(tooltip => {
          if (turn !== this.#turn || (!tooltip && !this.#shown)) return;
          this.#shown = tooltip !== null;
          update.view.dispatch({effects: setSignature.of(tooltip)});
        });
      }

      destroy(): void {
        this.#turn = -1;
      }
    },
  );
  const onBlur = EditorView.domEventHandlers({
    blur: (_event, view) => {
      if (view.state.field(signatureField)) view.dispatch({effects: setSignature.of(null)});
    },
  });
  return [signatureField, plugin, onBlur];
}
