// Both answers stand at the right as a takeover; the sheet stays visible at the left where there is room.
import './why-frame.css';
import type {ReactNode} from 'react';
import {SheetPane} from '../sheet/SheetView.tsx';
import {useWidth} from '../ui/use-width.ts';

export function WhyFrame({children}: {children: ReactNode}) {
  const wide = useWidth() >= 1100;
  return (
    <div className="why-frame">
      {wide ? (
        <aside className="why-sheet" aria-label="Sheet">
          <SheetPane compact />
        </aside>
      ) : null}
      <div className="why">{children}</div>
    </div>
  );
}
