// The toolbar of the explanation views: the question, the run, and what can be copied.
import type {ReactNode} from 'react';
import {navigate} from '../../store/app.ts';
import {IconButton} from '../../ui/controls/Button.tsx';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {Segmented} from '../../ui/controls/Tabs.tsx';
import './why-head.css';

export function WhyHead({
  active,
  children,
  actions,
}: {
  active: 'origin' | 'why' | 'why-not';
  children: ReactNode;
  actions: ReactNode;
}) {
  return (
    <div className="why-head bar gap-8" role="toolbar" aria-label="Why">
      <Segmented
        label="Question"
        active={active}
        onPick={view => navigate({view})}
        options={[
          {
            id: 'origin',
            label: (
              <>
                Why this value? <Kbd keys="o" />
              </>
            ),
          },
          {
            id: 'why',
            label: (
              <>
                Why it ran <Kbd keys="w" />
              </>
            ),
          },
          {
            id: 'why-not',
            label: (
              <>
                Why not <Kbd keys="Shift+W" />
              </>
            ),
          },
        ]}
      />
      {children}
      <span className="why-space" />
      <span className="inline-row gap-8">{actions}</span>
      <IconButton icon="close" label="Close and go to the Sheet" onClick={() => navigate({view: 'sheet'})} />
    </div>
  );
}
