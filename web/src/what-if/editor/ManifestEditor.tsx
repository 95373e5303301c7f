// The YAML editor of What if. CodeMirror in a shadow root, as in the Lab: the page's policy forbids style elements.
import {completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {bracketMatching, indentUnit} from '@codemirror/language';
import {type Diagnostic, linter, lintGutter} from '@codemirror/lint';
import {searchKeymap} from '@codemirror/search';
import {EditorState, Prec, StateEffect} from '@codemirror/state';
import {drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import {useEffect, useEffectEvent, useMemo, useRef} from 'react';
import {editorTheme} from '../../lab/editor/editor-theme.ts';
import {manifestCompletion} from './manifest-completion.ts';
import {findFieldErrors, kindsOf} from './manifest-fields.ts';
import {useKindFields} from './use-kind-fields.ts';
import {yamlLanguage} from './yaml-language.ts';

/** Asks for the problems of an unchanged text. */
const refresh = StateEffect.define<null>();

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
  const kinds = useKindFields(useMemo(() => kindsOf(text), [text]));
  const currentKinds = useEffectEvent(() => kinds);
  const diagnose = useEffectEvent((view: EditorView): Diagnostic[] => {
    const manifest = view.state.doc.toString();
    const found = findFieldErrors(manifest, kinds.fieldsOf);
    if (problem === null) return found;
    const line = view.state.doc.line(Math.min(Math.max(1, problem.line), view.state.doc.lines));
    const own: Diagnostic = {from: line.from, to: line.to, severity: 'error', message: problem.message};
    // The same line twice would say it twice.
    return [...found.filter(one => one.from < line.from || one.from > line.to), own];
  });
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
          manifestCompletion(() => currentKinds()),
          linter(view => diagnose(view), {
            delay: 300,
            needsRefresh: update =>
              update.transactions.some(one => one.effects.some(effect => effect.is(refresh))),
          }),
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
            ...completionKeymap,
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

  // A problem and a schema come without a change of the text.
  const known = kinds.kinds.filter(one => kinds.fieldsOf(one.apiVersion, one.kind)).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the reasons to look again
  useEffect(() => {
    editor.current?.dispatch({effects: refresh.of(null)});
  }, [problem, known]);

  return <div className="what-if-code" ref={host} />;
}
