// The formula's text: CodeMirror in a shadow root, because its styles come as sheets and the page allows no style elements.
import {closeBrackets, closeBracketsKeymap, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyField, historyKeymap, indentWithTab} from '@codemirror/commands';
import {javascript} from '@codemirror/lang-javascript';
import {bracketMatching, indentOnInput, indentUnit} from '@codemirror/language';
import {lintGutter, lintKeymap} from '@codemirror/lint';
import {highlightSelectionMatches, searchKeymap} from '@codemirror/search';
import {EditorState, type Extension, Prec} from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import {useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef} from 'react';
import type {FormulaAnalysis, FormulaShape} from '../types/protocol.ts';
import type {TypeClient} from '../types/type-client.ts';
import {editorTheme} from './editor-theme.ts';
import {languageFeatures, refreshDiagnostics} from './language-features.ts';
import {type LineNote, lineNotes, setLineNotes} from './line-notes.ts';
import './code-editor.css';

export interface FormulaCompileError {
  line: number;
  column: number;
  message: string;
}

export interface CodeEditorHandle {
  focus(): void;
  goTo(line: number, column?: number): void;
  /** The text at the caret gives way to this. */
  insert(text: string): void;
}

export interface CodeEditorProps {
  /** Another id is another text: its undo history begins anew. */
  id: string;
  code: string;
  shape: FormulaShape;
  types: TypeClient;
  /** Changes when the worker knows more than before. */
  typesVersion: number;
  refusals: {code: string; errors: FormulaCompileError[]} | null;
  notes: readonly LineNote[];
  step: number | null;
  readOnly: boolean;
  handle: React.Ref<CodeEditorHandle>;
  onChange: (code: string) => void;
  onReading: (reading: FormulaAnalysis, code: string) => void;
  onRun: () => void;
  onSave: () => void;
  onLeave: () => void;
}

/** The text that was last left, with its caret and its undo: a window of another width makes the editor anew. */
let lastClosedEditor: {id: string; code: string; state: unknown; focused: boolean} | null = null;

function createEditorState(id: string, code: string, extensions: Extension): EditorState {
  return lastClosedEditor?.id === id && lastClosedEditor.code === code
    ? EditorState.fromJSON(lastClosedEditor.state, {extensions}, {history: historyField})
    : EditorState.create({doc: code, extensions});
}

export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const {id, code, readOnly, types, typesVersion, refusals, notes, step, shape} = props;

  // A new text is told apart by its id; changes of the same go through dispatch.
  const begin = useEffectEvent((own: string, extended: Extension) => createEditorState(own, code, extended));
  useEffect(() => {
    const element = host.current!;
    const root = element.shadowRoot ?? element.attachShadow({mode: 'open'});
    const state = begin(id, createExtensions(latest, readOnly, types));
    const made = new EditorView({root, parent: root, state});
    view.current = made;
    // Nobody has taken the focus since: the next key is still meant for the text.
    if (lastClosedEditor?.id === id && lastClosedEditor.focused && document.activeElement === document.body)
      made.focus();
    lastClosedEditor = null;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [id, readOnly, types]);

  // While it is still in the page: a moment later the focus is gone.
  useLayoutEffect(
    () => () => {
      const {current} = view;
      if (current === null) return;
      const state: unknown = current.state.toJSON({history: historyField});
      lastClosedEditor = {id, code: current.state.doc.toString(), state, focused: current.hasFocus};
    },
    [id],
  );

  // Undo from outside, a recipe, another tab: the text is taken over, the caret stays where it can.
  useEffect(() => {
    const held = view.current;
    if (!held || held.state.doc.toString() === code) return;
    held.dispatch({changes: {from: 0, to: held.state.doc.length, insert: code}});
  }, [code]);

  useEffect(() => {
    view.current?.dispatch({effects: setLineNotes.of({notes, step})});
  }, [notes, step]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them changes what is wrong with the same text
  useEffect(() => {
    view.current?.dispatch({effects: refreshDiagnostics.of(null)});
  }, [typesVersion, refusals, shape.kind, shape.input]);

  useImperativeHandle(props.handle, () => ({
    focus: () => view.current?.focus(),
    goTo: (line, column = 1) => {
      const held = view.current;
      if (!held) return;
      const at = held.state.doc.line(Math.min(Math.max(1, line), held.state.doc.lines));
      const position = Math.min(at.to, at.from + column - 1);
      held.dispatch({selection: {anchor: position}, scrollIntoView: true});
      held.focus();
    },
    insert: text => {
      const held = view.current;
      if (!held) return;
      held.dispatch(held.state.replaceSelection(text));
      held.focus();
    },
  }));

  return <div className="lab-code" ref={host} />;
}

/** The key was taken. */
const handleKey = (act: () => void) => () => {
  act();
  return true;
};

function createExtensions(latest: React.RefObject<CodeEditorProps>, readOnly: boolean, types: TypeClient) {
  const now = () => latest.current;
  return [
    Prec.highest(
      keymap.of([
        {key: 'Mod-s', preventDefault: true, run: handleKey(() => now().onSave())},
        {key: 'Mod-Enter', preventDefault: true, run: handleKey(() => now().onRun())},
      ]),
    ),
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    javascript({typescript: true}),
    EditorView.lineWrapping,
    editorTheme,
    lineNotes,
    languageFeatures({
      types,
      shape: () => now().shape,
      compileErrors: code => (now().refusals?.code === code ? now().refusals!.errors : []),
      onReading: (reading, code) => now().onReading(reading, code),
    }),
    EditorState.readOnly.of(readOnly),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({
      'aria-label': 'Formula',
      'aria-description': 'Escape leaves the editor, so that Tab moves on',
    }),
    EditorView.updateListener.of(update => {
      if (update.docChanged) now().onChange(update.state.doc.toString());
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      // The last to be asked: open lists and panels take Escape for themselves.
      {key: 'Escape', run: handleKey(() => now().onLeave())},
      indentWithTab,
    ]),
  ];
}
