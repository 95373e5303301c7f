// Notes at the end of code lines: how many items a fetch matched, which rows fail. They are not part of the text.
import {type Extension, RangeSetBuilder, StateEffect, StateField} from '@codemirror/state';
import {Decoration, type DecorationSet, EditorView, WidgetType} from '@codemirror/view';

export interface LineNote {
  /** Counted from 1. */
  line: number;
  count?: string;
  words?: string;
  tone?: 'plain' | 'warning' | 'error';
}

export const setLineNotes = StateEffect.define<{notes: readonly LineNote[]; step: number | null}>();

class NoteWidget extends WidgetType {
  readonly notes: readonly LineNote[];

  constructor(notes: readonly LineNote[]) {
    super();
    this.notes = notes;
  }

  override eq(other: NoteWidget): boolean {
    return JSON.stringify(other.notes) === JSON.stringify(this.notes);
  }

  override toDOM(): HTMLElement {
    const box = document.createElement('span');
    box.className = 'site';
    for (const {count, words, tone = 'plain'} of this.notes) {
      if (count !== undefined) box.append(createPart('site-count', count));
      if (words !== undefined)
        box.append(
          createPart(`site-${tone}`, `${tone === 'error' ? '◆ ' : tone === 'warning' ? '△ ' : ''}${words}`),
        );
    }
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function createPart(className: string, text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}

const lineNotesField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(notes, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setLineNotes)) return buildDecorations(effect.value, transaction.state.doc);
    }
    // Notes stay until the next measurement, so that they do not blink while the reader types.
    return notes.map(transaction.changes);
  },
  provide: field => EditorView.decorations.from(field),
});

function buildDecorations(
  {notes, step}: {notes: readonly LineNote[]; step: number | null},
  doc: EditorView['state']['doc'],
): DecorationSet {
  const byLine = new Map<number, LineNote[]>();
  for (const note of notes) {
    if (note.line >= 1 && note.line <= doc.lines)
      byLine.set(note.line, [...(byLine.get(note.line) ?? []), note]);
  }
  const set = new RangeSetBuilder<Decoration>();
  const lines = [
    ...new Set([...byLine.keys(), ...(step !== null && step >= 1 && step <= doc.lines ? [step] : [])]),
  ];
  for (const number of lines.sort((a, b) => a - b)) {
    const line = doc.line(number);
    if (number === step) set.add(line.from, line.from, Decoration.line({class: 'line-stepped'}));
    const ofLine = byLine.get(number);
    if (ofLine) set.add(line.to, line.to, Decoration.widget({widget: new NoteWidget(ofLine), side: 1}));
  }
  return set.finish();
}

export const lineNotes: Extension = lineNotesField;
