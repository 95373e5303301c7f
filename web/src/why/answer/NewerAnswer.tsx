// What one reads stays; that there is something newer is said beside it, with the way there.
import type {ReactNode} from 'react';
import {Button} from '../../ui/controls/Button.tsx';
import './newer-answer.css';

export function NewerAnswer({children, onShow}: {children: ReactNode; onShow: () => void}) {
  return (
    <p className="newer-answer" role="status">
      <span>{children}</span>
      <Button size="small" onClick={onShow}>
        Show the newest
      </Button>
    </p>
  );
}
