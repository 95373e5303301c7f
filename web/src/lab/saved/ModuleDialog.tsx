// Shows the files of a graph module. The page does not run them.
import type {ModuleState} from '@krtscope/shared/formulas.ts';
import {useEffect, useEffectEvent, useState} from 'react';
import {Button} from '../../ui/controls/Button.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {errorText, failureOf, listFormulas} from '../formula-api.ts';
import {LabDialog} from '../LabDialog.tsx';
import './module-dialog.css';

export function ModuleDialog({
  module,
  at,
  canSave,
  onClose,
}: {
  module: ModuleState;
  at: number;
  canSave: boolean;
  onClose: () => void;
}) {
  const read = useModuleFiles(module.name, at);
  // The helpers of the folder come with their text.
  const files = module.files ?? read.files;
  const failure = module.files === undefined ? read.failure : undefined;
  const count = module.collections.length;
  const isHelpers = module.name === 'helpers.ts';
  return (
    <LabDialog label={isHelpers ? 'Helpers of the folder' : `Graph module ${module.name}`} onClose={onClose}>
      <h2 className="save-title">{module.name}</h2>
      <p className="save-words">
        {isHelpers
          ? 'Functions and constants that all formulas of the folder use by name. Edit the file in your own editor.'
          : canSave
            ? `A graph module from the --graph folder. It makes ${collectionCount(count)}. Edit it in your own editor.`
            : `The graph module that made ${collectionCount(count)} of this recording. It does not run here.`}
      </p>
      {module.error ? (
        <p className="save-said save-refused">
          <StateGlyph tone="error" size={8} /> {errorText(module.error)}
        </p>
      ) : null}
      {failure ? (
        <p className="save-said save-refused" role="alert">
          {failure}
        </p>
      ) : null}
      {files?.length === 0 ? <p className="save-words">No build of this module has run yet.</p> : null}
      {files?.map(({path, code}) => (
        <section key={path} className="column gap-4" aria-label={path}>
          <h3 className="mono module-path">{path}</h3>
          <pre className="module-code mono">
            <code>{code}</code>
          </pre>
        </section>
      ))}
      <div className="save-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </LabDialog>
  );
}

/** The entry file comes first. */
function useModuleFiles(name: string, at: number) {
  const [texts, setTexts] = useState<{files?: ModuleState['files']; failure?: string}>({});
  // Effect event: new batches must not change the text that the reader has open.
  const readFiles = useEffectEvent((signal: AbortSignal) => listFormulas(signal, at));
  useEffect(() => {
    const abort = new AbortController();
    readFiles(abort.signal).then(
      ({modules}) => {
        const files = modules.find(one => one.name === name)?.files ?? [];
        setTexts({files: [...files].reverse()});
      },
      error => {
        if (!abort.signal.aborted) setTexts({failure: failureOf(error).message});
      },
    );
    return () => abort.abort();
  }, [name]);
  return texts;
}

function collectionCount(count: number): string {
  return `${count} ${count === 1 ? 'collection' : 'collections'}`;
}
