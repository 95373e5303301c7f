// What if: edits of objects, tried in a copy of the graph. The edits are in the URL; nothing runs before "Try it".
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import {whatIfMarkdown} from '@krtscope/shared/what-if/what-if-text.ts';
import {ManifestError} from '@krtscope/shared/yaml/manifest-objects.ts';
import {useMemo, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {copyText, linkTo, navigate} from '../store/app.ts';
import {useMoment, useParam, useSelectedItem} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useCollection, useSubscription} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {EmptyState, ErrorState} from '../ui/layout/Panel.tsx';
import {Toolbar} from '../ui/layout/Toolbar.tsx';
import {EditList} from './EditList.tsx';
import {EditOptions} from './EditOptions.tsx';
import {
  type EditDraft,
  type EditedOriginal,
  editedPaths,
  emptyDraft,
  kubectlCommands,
  manifestText,
  readDraft,
  toEdits,
  writeDraft,
} from './edit-draft.ts';
import {ManifestEditor, type ManifestProblem} from './editor/ManifestEditor.tsx';
import {ImpactPanel} from './ImpactPanel.tsx';
import {openWhatIf} from './open-what-if.ts';
import {useWhatIf, type WhatIfTrial} from './use-what-if.ts';
import {WhatIfResult} from './WhatIfResult.tsx';
import './what-if-view.css';

export default function WhatIfView() {
  const item = useSelectedItem();
  const [edits] = useParam('edits');
  return (
    <div className="what-if">
      {item === null ? (
        edits === null ? (
          <EmptyState title="Nothing selected">
            Select a row in the Sheet and press <kbd>Shift I</kbd>: krtscope shows what a change of it would
            do.
          </EmptyState>
        ) : (
          <Workspace item={null} detail={undefined} />
        )
      ) : (
        <SelectedWorkspace key={`${item.collection} ${item.key}`} item={item} />
      )}
    </div>
  );
}

function SelectedWorkspace({item}: {item: ItemRef}) {
  const [edits] = useParam('edits');
  const {answer, failure} = useSubscription({ask: 'item', ...item});
  const node = useCollection(item.collection);
  if (answer === undefined || node === undefined) {
    // A deleted object can still be brought back by a draft.
    if (failure && edits === null) return <ErrorState failure={failure} />;
    if (!failure) return <p className="what-if-waits">Loading…</p>;
  }
  if (node !== undefined && node.resource === undefined && edits === null)
    return <ComputedRow item={item} detail={answer} />;
  return <Workspace item={item} detail={answer} />;
}

/** A computed row cannot be edited, but the objects behind it can. */
function ComputedRow({item, detail}: {item: ItemRef; detail: ItemDetail | undefined}) {
  const behind = detail?.precedents ?? [];
  return (
    <EmptyState
      title={`${item.collection} is computed`}
      actions={
        <div className="what-if-behind row gap-6">
          {behind.slice(0, 12).map(({collection, key}) => (
            <ItemChip
              key={`${collection} ${key}`}
              collection={collection}
              itemKey={key}
              onPick={() => openWhatIf({collection, key})}
            />
          ))}
        </div>
      }
    >
      {item.key} has no value of its own to edit. Choose an object that it is computed from.
    </EmptyState>
  );
}

function Workspace({item, detail}: {item: ItemRef | null; detail: ItemDetail | undefined}) {
  const [param, setParam] = useParam('edits');
  const {moment} = useMoment();
  // Later changes of the object must not replace what the reader types.
  const [original] = useState(() => originalOf(item, detail));
  const draft = useMemo(() => draftOf(param, original), [param, original]);
  const [problem, setProblem] = useState<ManifestProblem | null>(null);
  const trial = useWhatIf();
  const change = (next: EditDraft) => {
    setProblem(null);
    setParam(writeDraft(next));
  };
  const tryIt = () => {
    try {
      const edits = toEdits(draft, original);
      setProblem(null);
      const {formulas, react} = draft;
      if (edits.length + formulas.length === 0)
        setProblem({line: 1, message: 'Nothing is changed yet: edit the manifest first.'});
      else
        trial.run(
          {
            edits,
            ...(formulas.length === 0 ? {} : {formulas: [...formulas]}),
            ...(react ? {react} : {}),
          },
          moment,
        );
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      setProblem({line: error.line, message: error.message});
    }
  };
  useKeys({
    'Mod+Enter': {says: 'try the edits', group: 'Here', typing: true, run: tryIt},
  });
  return (
    <>
      <Toolbar
        label="What if"
        left={
          <>
            <span className="what-if-word">What if</span>
            {item === null ? null : <ItemChip collection={item.collection} itemKey={item.key} />}
          </>
        }
        right={<WorkspaceActions draft={draft} original={original} trial={trial} onTry={tryIt} />}
      />
      <div className="what-if-body">
        <section className="what-if-editor column" aria-label="Edits">
          <ManifestEditor
            text={draft.manifest}
            problem={problem}
            onChange={manifest => change({...draft, manifest})}
            onTry={tryIt}
          />
          {problem === null ? null : (
            <p className="what-if-problem" role="alert">
              Line {problem.line}: {problem.message}
            </p>
          )}
          <EditList draft={draft} onChange={change} />
          <EditOptions draft={draft} original={original} onChange={change} />
        </section>
        <section className="what-if-result" aria-label="What would change" aria-busy={trial.isRunning}>
          <ResultBody trial={trial} item={item} draft={draft} original={original} />
        </section>
      </div>
    </>
  );
}

function originalOf(item: ItemRef | null, detail: ItemDetail | undefined): EditedOriginal | undefined {
  const object = detail?.value;
  if (item === null || typeof object !== 'object' || object === null) return undefined;
  return {...item, object: object as Record<string, unknown>};
}

function draftOf(param: string | null, original: EditedOriginal | undefined): EditDraft {
  const read = param === null ? undefined : readDraft(param);
  if (read !== undefined) return read;
  return original === undefined ? emptyDraft : {...emptyDraft, manifest: manifestText(original.object)};
}

function ResultBody({
  trial,
  item,
  draft,
  original,
}: {
  trial: WhatIfTrial;
  item: ItemRef | null;
  draft: EditDraft;
  original: EditedOriginal | undefined;
}) {
  const {answer, failure, isRunning} = trial;
  if (isRunning) return <p className="what-if-waits">Trying it in a copy of the graph…</p>;
  if (failure !== null) return <ErrorState failure={failure} />;
  if (answer !== null) return <WhatIfResult answer={answer} />;
  return (
    <>
      <EmptyState title="Nothing has been tried yet">
        Edit the manifest, then press Try it. krtscope tries the change in a copy of the graph. The cluster is
        not touched.
      </EmptyState>
      {item === null ? null : <DraftImpact item={item} draft={draft} original={original} />}
    </>
  );
}

/** Who reads the object; first the fields that the draft changes. */
function DraftImpact({
  item,
  draft: {manifest},
  original,
}: {
  item: ItemRef;
  draft: EditDraft;
  original: EditedOriginal | undefined;
}) {
  const edited = useMemo(() => editedPaths(manifest, original), [manifest, original]);
  return <ImpactPanel item={item} edited={edited} />;
}

function WorkspaceActions({
  draft,
  original,
  trial,
  onTry,
}: {
  draft: EditDraft;
  original: EditedOriginal | undefined;
  trial: WhatIfTrial;
  onTry: () => void;
}) {
  const recording = useConnection(link => link.session?.id ?? null);
  const node = useCollection(original?.collection ?? '');
  const commands = () => {
    const edits = toEdits(draft, original);
    return kubectlCommands(edits, name => (name === original?.collection ? node?.resource : undefined));
  };
  const copySafely = (text: () => string, said: string) => {
    try {
      void copyText(text(), said);
    } catch {
      onTry();
    }
  };
  const {answer} = trial;
  return (
    <>
      {answer === null ? null : (
        <>
          <Button icon="sheet" size="small" onClick={() => navigate({view: 'sheet'})}>
            Sheet
          </Button>
          <Button icon="graph" size="small" onClick={() => navigate({view: 'graph'})}>
            Graph
          </Button>
          <Button
            icon="markdown"
            size="small"
            onClick={() => void copyText(whatIfMarkdown(answer), 'Markdown copied')}
          >
            Markdown
          </Button>
          <Button look="ghost" size="small" onClick={trial.clear}>
            Clear
          </Button>
        </>
      )}
      <Button icon="copy" size="small" onClick={() => copySafely(commands, 'Commands copied')}>
        kubectl
      </Button>
      <Button icon="file" size="small" onClick={() => void copyText(draft.manifest, 'Manifest copied')}>
        Manifest
      </Button>
      <Button
        icon="link"
        size="small"
        onClick={() => void copyText(linkTo(recording, {params: {edits: writeDraft(draft)}}), 'Link copied')}
      >
        Link
      </Button>
      <Button
        look="primary"
        size="small"
        icon="play"
        keys="Mod+Enter"
        disabled={trial.isRunning}
        onClick={onTry}
      >
        Try it
      </Button>
    </>
  );
}
