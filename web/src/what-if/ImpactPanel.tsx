// Before an edit: which fields of the object are read, and by which rows, through every hop.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {Impact, ImpactReader} from '@krtscope/shared/what-if/what-if.ts';
import {select} from '../store/navigation.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {plural} from '../ui/text/plural.ts';
import {editedFirst, fieldsRead, isTouched} from './fields-read.ts';
import './impact-panel.css';

/** Fields that are shown; the answer has them by path. */
const MAX_FIELDS = 40;

/** `edited` are the paths that a draft changes: they come first. */
export function ImpactPanel({
  item: {collection, key},
  edited = [],
}: {
  item: ItemRef;
  edited?: readonly string[];
}) {
  const {answer} = useAnswer<Impact>(impactPath(collection, key));
  if (answer === undefined) return null;
  const fields = editedFirst(fieldsRead(answer), edited);
  return (
    <section className="impact" aria-label="Who reads this object">
      <p className="label">Who reads this object</p>
      {fields.length === 0 ? (
        <p className="impact-none">
          No row reads a field of {key}. An edit changes nothing that is computed here.
        </p>
      ) : (
        <ul className="plain-list">
          {fields.slice(0, MAX_FIELDS).map(field => (
            <FieldReaders key={field.path} field={field} isEdited={isTouched(field.path, edited)} />
          ))}
        </ul>
      )}
      {fields.length > MAX_FIELDS ? (
        <p className="impact-none">and {plural(fields.length - MAX_FIELDS, 'more field')}</p>
      ) : null}
      <ImpactNotes notes={answer.notes} />
    </section>
  );
}

/** Who reads one field. */
export function FieldImpact({
  item: {collection, key},
  field,
  onClose,
}: {
  item: ItemRef;
  field: string;
  onClose: () => void;
}) {
  const {answer, failure} = useAnswer<Impact>(
    `${impactPath(collection, key)}?path=${encodeURIComponent(field)}`,
  );
  const [found] = answer === undefined ? [] : fieldsRead(answer);
  return (
    <section className="impact impact-field-only" aria-label="Who reads this field">
      <div className="row gap-6 impact-head">
        <span className="label">Who reads this field</span>
        <IconButton icon="close" label="Close who reads this field" onClick={onClose} />
      </div>
      {found === undefined ? (
        <p className="impact-none">
          <code>{field}</code>{' '}
          {failure?.message ??
            (answer === undefined
              ? '…'
              : 'is read by no row. An edit of it changes nothing that is computed here.')}
        </p>
      ) : (
        <ul className="plain-list">
          <FieldReaders field={found} isEdited={false} />
        </ul>
      )}
      <ImpactNotes notes={answer?.notes} />
    </section>
  );
}

function ImpactNotes({notes = []}: {notes: Impact['notes']}) {
  return notes.map(note => (
    <p key={note} className="impact-none">
      {note}
    </p>
  ));
}

function impactPath(collection: string, key: string): string {
  return `/impact/${encodeURIComponent(collection)}/${encodeURIComponent(key)}`;
}

function FieldReaders({
  field: {path, readers},
  isEdited,
}: {
  field: Impact['fields'][number];
  isEdited: boolean;
}) {
  return (
    <li className="impact-field">
      <span className="impact-path">
        <code>{path}</code>
        {isEdited ? <span className="impact-edited">edited</span> : null}
      </span>
      <span className="impact-readers">
        {readers.map(reader => (
          <Reader key={`${reader.collection} ${reader.how}`} reader={reader} />
        ))}
      </span>
    </li>
  );
}

function Reader({reader: {collection, how, keys, count}}: {reader: ImpactReader}) {
  const [first] = keys;
  const isRead = how === 'read';
  const words = isRead ? plural(count, 'row') : `maybe ${plural(count, 'row')}`;
  const title = isRead
    ? `Rows of ${collection} that read this field, and would differ for some other value`
    : `Rows of ${collection} that could read this field, or differ only for a certain value`;
  return (
    <button
      type="button"
      className={`impact-reader bare-button ${isRead ? '' : 'impact-could'}`}
      title={`${title}: ${keys.slice(0, 5).join(', ')}${count > 5 ? ' …' : ''}`}
      onClick={() => (first === undefined ? undefined : select({collection, key: first}, 'sheet'))}
    >
      <b>{collection}</b> {words}
    </button>
  );
}
