// The marks of a supposition outside its view: ghost values in the Sheet, counts in the Graph.
import {readPath} from '@krtscope/shared/path.ts';
import {valueText} from '@krtscope/shared/what-if/what-if-text.ts';
import {useSupposedCount, useSupposedRow} from './supposition.ts';
import './supposed-cell.css';
import {plural} from '../ui/text/plural.ts';

interface SupposedRowProps {
  collection: string;
  itemKey: string;
}

/** The word behind a key: the row would be changed or removed. */
export function SupposedMark({collection, itemKey}: SupposedRowProps) {
  const row = useSupposedRow(collection, itemKey);
  if (row === undefined) return null;
  const word = row.new === undefined ? 'removed' : 'changed';
  return (
    <span className="supposed-cell" title={`What if: this row would be ${word}`}>
      {word === 'removed' ? 'what if: removed' : 'what if'}
    </span>
  );
}

/** The value that a field would have. */
export function SupposedField({collection, itemKey, field}: SupposedRowProps & {field: string}) {
  const row = useSupposedRow(collection, itemKey);
  if (row?.new === undefined) return null;
  const before = valueText(readPath(row.old, field));
  const after = valueText(readPath(row.new, field));
  if (before === after) return null;
  return (
    <span className="supposed-cell ellipsis" title={`What if: ${before} → ${after}`}>
      → {after}
    </span>
  );
}

/** The number of rows of a collection that would change. */
export function SupposedBadge({collection}: {collection: string}) {
  const count = useSupposedCount(collection);
  if (count === 0) return null;
  return (
    <span className="supposed-badge" title={`What if: ${plural(count, 'row')} would change`}>
      what if: {count}
    </span>
  );
}
