// The 40 px bar above a view: the view's subject left, its actions right.
import type {ReactNode} from 'react';
import './toolbar.css';

export function Toolbar({label, left, right}: {label: string; left: ReactNode; right?: ReactNode}) {
  return (
    <div className="toolbar" role="toolbar" aria-label={label}>
      <div className="toolbar-left row gap-8">{left}</div>
      {right === undefined ? null : <div className="toolbar-right row gap-8">{right}</div>}
    </div>
  );
}
