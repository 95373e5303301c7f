// A graph module as text: every file of the build that runs, or of the one a recording was made with. Nothing is run here.
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
  canKeep,
  onClose,
}: {
  module: ModuleState;
  at: number;
  canKeep: boolean;
  onClose: () => void;
}) {
  const {files, failure} = useModuleFiles(module.name, at);
  const count = module.collections.length;
  return (
    <LabDialog label={`The graph module ${module.name}`} onClose={onClose}>
      <h2 className="save-title">{module.name}</h2>
      <p className="save-words">
        {canKeep
          ? `A graph module of the folder: it is written in your own editor, and makes ${count} ${count === 1 ? 'collection' : 'collections'}.`
          : `The graph module that made ${count} ${count === 1 ? 'collection' : 'collections'} of this recording. It is shown, and not run.`}
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
      {files?.length === 0 ? <p className="save-words">No build of it has run yet.</p> : null}
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

/** The entry first: that is what one opens it for. */
function useModuleFiles(name: string, at: number) {
  const [texts, setTexts] = useState<{files?: ModuleState['files']; failure?: string}>({});
  // The texts of the moment at which it was opened: a page that goes on must not change what one reads.
  const opened = useEffectEvent((signal: AbortSignal) => listFormulas(signal, at));
  useEffect(() => {
    const abort = new AbortController();
    opened(abort.signal).then(
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
