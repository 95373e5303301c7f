// Says that a newer answer exists. The answer on the page stays until the reader asks for it.
import type {ReactNode} from 'react';
import {Button} from '../../ui/controls/Button.tsx';
import './newer-answer.css';

export function NewerAnswer({children, onShow}: {children: ReactNode; onShow: () => void}) {
  return (
    <p className="newer-answer" role="status">
      <span>{children}</span>
      <Button size="small" onClick={onShow}>
        Show newest
      </Button>
    </p>
  );
}
