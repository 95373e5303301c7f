// Asks before a saved formula is deleted, and lists the collections that read it.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {failureText} from '../../stream/failure-text.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {ItemChip} from '../../ui/indicators/ItemChip.tsx';
import {LabDialog} from '../LabDialog.tsx';

export function readersOf(graph: Graph | null, name: string): string[] {
  return [...new Set((graph?.edges ?? []).filter(edge => edge.from === name).map(edge => edge.to))];
}

export function DeleteDialog({
  name,
  readers,
  failure,
  onDelete,
  onClose,
}: {
  name: string;
  readers: readonly string[];
  failure: ApiFailure | null;
  onDelete: () => void;
  onClose: () => void;
}) {
  return (
    <LabDialog label={`Delete ${name}`} onClose={onClose}>
      <h2 className="save-title">Delete {name}?</h2>
      {readers.length > 0 ? (
        <>
          <p className="save-words">
            {readers.length === 1 ? 'One collection reads' : `${readers.length} collections read`} it. Change
            or delete
            {readers.length === 1 ? ' it' : ' them'} first:
          </p>
          <ul className="plain-list">
            {readers.map(reader => (
              <li key={reader}>
                <ItemChip collection={reader} view="graph" />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="save-words">
          No collection reads it. Its text stays in the Lab as a draft. Save the draft to bring it back.
        </p>
      )}
      {failure ? (
        <p className="save-said save-refused" role="alert">
          {failureText(failure)}
        </p>
      ) : null}
      <div className="save-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={readers.length > 0} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </LabDialog>
  );
}
