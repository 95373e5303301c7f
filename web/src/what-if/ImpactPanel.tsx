// Before an edit: which fields of the object are read, and by which rows, through every hop.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {Impact, ImpactReader} from '@krtscope/shared/what-if/what-if.ts';
import {select} from '../store/navigation.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {plural} from '../ui/text/plural.ts';
import {fieldsRead} from './fields-read.ts';
import './impact-panel.css';

/** Fields that are shown; the answer has them by path. */
const MAX_FIELDS = 40;

export function ImpactPanel({item: {collection, key}}: {item: ItemRef}) {
  const {answer} = useAnswer<Impact>(`/impact/${encodeURIComponent(collection)}/${encodeURIComponent(key)}`);
  if (answer === undefined) return null;
  const fields = fieldsRead(answer);
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
            <li key={field.path} className="impact-field">
              <code>{field.path}</code>
              <span className="impact-readers">
                {field.readers.map(reader => (
                  <Reader key={`${reader.collection} ${reader.how}`} reader={reader} />
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {fields.length > MAX_FIELDS ? (
        <p className="impact-none">and {plural(fields.length - MAX_FIELDS, 'more field')}</p>
      ) : null}
    </section>
  );
}

function Reader({reader: {collection, how, keys, count}}: {reader: ImpactReader}) {
  const [first] = keys;
  const isRead = how === 'read';
  const words = isRead ? plural(count, 'row') : `could match ${plural(count, 'row')}`;
  const title = isRead
    ? `Rows of ${collection} that read this field in their last run, or are computed from such rows`
    : `Rows of ${collection} whose fetch did not find this object, and could with another value`;
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
