// Completion, hover, signatures and slips, each asked of the worker. The newest answer wins; a late one is dropped.
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

export interface LanguageFeatureOptions {
  types: TypeClient;
  shape: () => FormulaShape;
  /** What the server said of this very code: shown with TypeScript's own. */
  compileErrors: (code: string) => {line: number; column: number; message: string}[];
  onReading: (reading: FormulaAnalysis, code: string) => void;
}

/** Asks for the slips again although the text is the same: types arrived, or the server answered. */
export const refreshDiagnostics = StateEffect.define<null>();

export function languageFeatures(options: LanguageFeatureOptions): Extension {
  return [
    autocompletion({override: [context => complete(options, context)], icons: false, maxRenderedOptions: 60}),
    linter(view => findDiagnostics(options, view), {
      delay: 250,
      needsRefresh: update =>
        update.transactions.some(one => one.effects.some(effect => effect.is(refreshDiagnostics))),
    }),
    hoverTooltip(async (view, at) => {
      const told = await options.types.ask({
        ask: 'hover',
        code: view.state.doc.toString(),
        shape: options.shape(),
        at,
      });
      return told
        ? {pos: told.from, end: told.to, above: true, create: () => ({dom: createTooltipBox(told)})}
        : null;
    }),
    signatureHelp(options),
    openOnDot,
  ];
}

async function findDiagnostics(
  {types, shape, compileErrors: refused, onReading}: LanguageFeatureOptions,
  view: EditorView,
): Promise<Diagnostic[]> {
  const {doc} = view.state;
  const code = doc.toString();
  const reading = await types.ask({ask: 'read', code, shape: shape()});
  if (view.state.doc !== doc) return [];
  if (reading) onReading(reading, code);
  const own: Diagnostic[] = (reading?.slips ?? []).map(slip => ({
    from: slip.from,
    to: slip.to,
    severity: slip.severity,
    message: slip.message,
    source: 'TypeScript',
  }));
  for (const {line, column, message} of refused(code)) {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const from = Math.min(at.to, at.from + Math.max(0, column - 1));
    const word = /^[\w$]+/.exec(doc.sliceString(from, at.to))?.[0].length ?? 1;
    own.push({from, to: Math.min(at.to, from + word), severity: 'error', message, source: 'krtscope'});
  }
  return own;
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
  return {
    from: found.from,
    options: found.offers.map(offer => toCompletion(offer, {types, shape}, code, context.pos)),
    validFor: /^[\w$]*$/,
  };
}

function toCompletion(
  offer: CompletionOffer,
  {types, shape}: Pick<LanguageFeatureOptions, 'types' | 'shape'>,
  code: string,
  at: number,
): Completion {
  return {
    label: offer.label,
    ...(offer.insert !== undefined && {apply: offer.insert}),
    detail: offer.detail ?? completionKindLabels[offer.kind] ?? '',
    // TypeScript ranks by text: what is near comes first, globals last.
    boost: offer.rank <= '11' ? 2 : offer.rank >= '15' ? -2 : 0,
    info: async () => {
      const told = await types.ask({ask: 'describe', code, shape: shape(), at, label: offer.label});
      return told ? createTooltipBox(told) : null;
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

function createTooltipBox({code, words: said}: {code: string; words: string}): HTMLElement {
  const box = document.createElement('div');
  box.className = 'told';
  const text = document.createElement('pre');
  text.className = 'told-code';
  text.textContent = code;
  box.append(text);
  if (said !== '') {
    const words_ = document.createElement('p');
    words_.className = 'told-words';
    words_.textContent = said;
    box.append(words_);
  }
  return box;
}

/** A dot is a question. */
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
  update(held, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setSignature)) continue;
      const told = effect.value;
      return told
        ? {
            pos: Math.min(told.from, transaction.newDoc.length),
            above: true,
            create: () => ({dom: createTooltipBox(told)}),
          }
        : null;
    }
    return transaction.docChanged && held ? {...held, pos: transaction.changes.mapPos(held.pos)} : held;
  },
  provide: own => showTooltip.from(own),
});

/** What a call takes, while the caret is between its parentheses. */
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
        void types.ask({ask: 'signature', code, shape: shape(), at}).then(told => {
          if (turn !== this.#turn || (!told && !this.#shown)) return;
          this.#shown = told !== null;
          update.view.dispatch({effects: setSignature.of(told)});
        });
      }

      destroy(): void {
        this.#turn = -1;
      }
    },
  );
  const onEscape = EditorView.domEventHandlers({
    blur: (_event, view) => {
      if (view.state.field(signatureField)) view.dispatch({effects: setSignature.of(null)});
    },
  });
  return [signatureField, plugin, onEscape];
}
