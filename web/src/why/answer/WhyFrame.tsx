// The frame of the explanation views: the sheet on the left, if there is room, the answer on the right.
import './why-frame.css';
import type {ReactNode} from 'react';
import {SheetPane} from '../../sheet/SheetView.tsx';
import {useWindowWidth} from '../../ui/hooks/use-window-width.ts';

export function WhyFrame({children}: {children: ReactNode}) {
  // In a narrower window both parts would be too narrow to read.
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
