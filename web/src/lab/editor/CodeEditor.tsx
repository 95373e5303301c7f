// CodeMirror in a shadow root: its styles come as sheets, and the page's policy forbids style elements.
import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
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
  /** Replaces the selection. */
  insert(text: string): void;
}

interface CodeEditorProps {
  /** Another id starts a new undo history. */
  id: string;
  code: string;
  shape: FormulaShape;
  types: TypeClient;
  /** Changes when the worker has new types. */
  typesVersion: number;
  refusals: {code: string; errors: FormulaCompileError[]} | null;
  notes: readonly LineNote[];
  step: number | null;
  readOnly: boolean;
  handle: React.Ref<CodeEditorHandle>;
  onChange: (code: string) => void;
  onAnalysis: (analysis: FormulaAnalysis, code: string) => void;
  onRun: () => void;
  onSave: () => void;
  onLeave: () => void;
}

/** Caret and undo of the last closed editor. A resize may create the editor again. */
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

  // Only a new id creates the editor again. Changes of the text go through dispatch.
  const createState = useEffectEvent((ofId: string, extensions: Extension) =>
    createEditorState(ofId, code, extensions),
  );
  useEffect(() => {
    const element = host.current!;
    const root = element.shadowRoot ?? element.attachShadow({mode: 'open'});
    const state = createState(id, createExtensions(latest, readOnly, types));
    const made = new EditorView({root, parent: root, state});
    view.current = made;
    // No other element has taken the focus, so the next key still belongs to the text.
    if (lastClosedEditor?.id === id && lastClosedEditor.focused && document.activeElement === document.body)
      made.focus();
    lastClosedEditor = null;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [id, readOnly, types]);

  // A layout effect, because the focus is gone after the element leaves the page.
  useLayoutEffect(
    () => () => {
      const {current} = view;
      if (current === null) return;
      const state: unknown = current.state.toJSON({history: historyField});
      lastClosedEditor = {id, code: current.state.doc.toString(), state, focused: current.hasFocus};
    },
    [id],
  );

  // Another tab, a recipe or a version changed the text.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === code) return;
    editor.dispatch({changes: {from: 0, to: editor.state.doc.length, insert: code}});
  }, [code]);

  useEffect(() => {
    view.current?.dispatch({effects: setLineNotes.of({notes, step})});
  }, [notes, step]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them changes the diagnostics of an unchanged text
  useEffect(() => {
    view.current?.dispatch({effects: refreshDiagnostics.of(null)});
  }, [typesVersion, refusals, shape.kind, shape.input]);

  useImperativeHandle(props.handle, () => ({
    focus: () => view.current?.focus(),
    goTo: (line, column = 1) => {
      const editor = view.current;
      if (!editor) return;
      const at = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines));
      const position = Math.min(at.to, at.from + column - 1);
      editor.dispatch({selection: {anchor: position}, scrollIntoView: true});
      editor.focus();
    },
    insert: text => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text));
      editor.focus();
    },
  }));

  return <div className="lab-code" ref={host} />;
}

/** True tells CodeMirror that the key is handled. */
const handleKey = (act: () => void) => () => {
  act();
  return true;
};

function createExtensions(latest: React.RefObject<CodeEditorProps>, readOnly: boolean, types: TypeClient) {
  const props = () => latest.current;
  return [
    Prec.highest(
      keymap.of([
        {key: 'Mod-s', preventDefault: true, run: handleKey(() => props().onSave())},
        {key: 'Mod-Enter', preventDefault: true, run: handleKey(() => props().onRun())},
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
      shape: () => props().shape,
      compileErrors: code => (props().refusals?.code === code ? props().refusals!.errors : []),
      onAnalysis: (analysis, code) => props().onAnalysis(analysis, code),
    }),
    EditorState.readOnly.of(readOnly),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({
      'aria-label': 'Formula',
      'aria-description': 'Press Escape to leave the editor, then Tab moves on',
    }),
    EditorView.updateListener.of(update => {
      if (update.docChanged) props().onChange(update.state.doc.toString());
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      // Last, because open lists and panels use Escape first.
      {key: 'Escape', run: handleKey(() => props().onLeave())},
      // Without an open list Tab indents.
      {key: 'Tab', run: acceptCompletion},
      indentWithTab,
    ]),
  ];
}
