// Both answers stand at the right as a takeover; the sheet stays visible at the left where there is room.
import './why-frame.css';
import type {ReactNode} from 'react';
import {SheetPane} from '../../sheet/SheetView.tsx';
import {useWindowWidth} from '../../ui/hooks/use-window-width.ts';

export function WhyFrame({children}: {children: ReactNode}) {
  // Narrower, both would be too narrow to read.
  const wide = useWindowWidth() >= 1280;
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
