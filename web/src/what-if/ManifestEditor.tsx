// The YAML editor of What if. CodeMirror in a shadow root, as in the Lab: the page's policy forbids style elements.
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {bracketMatching, indentUnit} from '@codemirror/language';
import {type Diagnostic, lintGutter, setDiagnostics} from '@codemirror/lint';
import {searchKeymap} from '@codemirror/search';
import {EditorState, Prec} from '@codemirror/state';
import {drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import {useEffect, useEffectEvent, useRef} from 'react';
import {editorTheme} from '../lab/editor/editor-theme.ts';
import {yamlLanguage} from './yaml-language.ts';

export interface ManifestProblem {
  readonly line: number;
  readonly message: string;
}

export function ManifestEditor({
  text,
  problem,
  onChange,
  onTry,
}: {
  text: string;
  problem: ManifestProblem | null;
  onChange: (text: string) => void;
  onTry: () => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const change = useEffectEvent(onChange);
  const tryIt = useEffectEvent(onTry);
  const initial = useEffectEvent(() => text);
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const root = element.shadowRoot ?? element.attachShadow({mode: 'open'});
    const runTry = () => {
      tryIt();
      return true;
    };
    const leave = () => {
      editor.current?.contentDOM.blur();
      return true;
    };
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial(),
        extensions: [
          Prec.highest(keymap.of([{key: 'Mod-Enter', preventDefault: true, run: runTry}])),
          lineNumbers(),
          lintGutter(),
          highlightActiveLine(),
          history(),
          drawSelection(),
          indentUnit.of('  '),
          bracketMatching(),
          yamlLanguage,
          editorTheme,
          EditorState.tabSize.of(2),
          EditorView.contentAttributes.of({
            'aria-label': 'Manifest',
            'aria-description': 'Press Escape to leave the editor, then Tab moves on',
          }),
          EditorView.updateListener.of(update => {
            if (update.docChanged) change(update.state.doc.toString());
          }),
          keymap.of([
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            {key: 'Escape', run: leave},
            indentWithTab,
          ]),
        ],
      }),
    });
    editor.current = view;
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, []);

  // A link or the object's own text replaced the draft.
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === text) return;
    view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}});
  }, [text]);

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    const found: Diagnostic[] = [];
    if (problem !== null) {
      const line = view.state.doc.line(Math.min(Math.max(1, problem.line), view.state.doc.lines));
      found.push({from: line.from, to: line.to, severity: 'error', message: problem.message});
    }
    view.dispatch(setDiagnostics(view.state, found));
  }, [problem]);

  return <div className="what-if-code" ref={host} />;
}
