// The steps from the item back to the write, each with its evidence.
import type {Origin, OriginStep} from '@krtscope/shared/origin.ts';
import {useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {useParam} from '../store/navigation.ts';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {OutcomeWord, ToneWord} from '../ui/indicators/outcome-state.tsx';
import {kindWords} from './origin-words.ts';
import {StepEvidence} from './StepEvidence.tsx';
import {WriteStep} from './WriteStep.tsx';
import './origin-steps.css';

export function OriginSteps({origin}: {origin: Origin}) {
  const {steps, write} = origin;
  const [step, setStep] = useParam('step');
  const at = Math.max(0, Math.min(steps.length - 1, Number(step) || 0));
  // Another answer starts with all steps open.
  const [folds, setFolds] = useState<{of: string; shut: ReadonlySet<number>}>({of: '', shut: new Set()});
  const shut = folds.of === origin.sentence ? folds.shut : new Set<number>();
  const turn = (position: number, close: boolean) => {
    const next = new Set(shut);
    if (close) next.add(position);
    else next.delete(position);
    setFolds({of: origin.sentence, shut: next});
  };
  useKeys({
    ArrowDown: {
      says: 'next step',
      group: 'Understand',
      run: () => setStep(String(Math.min(steps.length - 1, step === null ? 0 : at + 1))),
    },
    ArrowUp: {
      says: 'previous step',
      group: 'Understand',
      run: () => setStep(at <= 0 ? null : String(at - 1)),
    },
    ArrowRight: {says: 'show the evidence', group: 'Understand', run: () => turn(at, false)},
    ArrowLeft: {says: 'hide the evidence', group: 'Understand', run: () => turn(at, true)},
  });
  return (
    <section className="origin-steps" aria-label="Steps">
      <header className="origin-head row gap-10">
        <span className="label origin-up">◂ Upstream</span>
        <span className="origin-note">
          {steps.length} {steps.length === 1 ? 'step' : 'steps'} {write ? 'to the write' : 'in the recording'}
        </span>
        <span className="origin-keys inline-row gap-5">
          <Kbd keys="ArrowUp" /> <Kbd keys="ArrowDown" /> step <Kbd keys="ArrowRight" /> evidence
        </span>
      </header>
      <ol className="origin-list plain-list">
        {steps.map((one, position) => (
          <StepRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the same item may be passed twice
            key={`${position} ${one.collection} ${one.key}`}
            step={one}
            number={position + 1}
            current={step !== null && position === at}
            folded={shut.has(position)}
            onFold={() => turn(position, !shut.has(position))}
          />
        ))}
        {write ? <WriteStep write={write} number={steps.length + 1} /> : null}
      </ol>
      <p className="origin-end">
        {write ? "This write came from outside krtscope's graph." : 'Earlier steps are no longer recorded.'}
      </p>
    </section>
  );
}

function StepRow({
  step,
  number,
  current,
  folded,
  onFold,
}: {
  step: OriginStep;
  number: number;
  current: boolean;
  folded: boolean;
  onFold: () => void;
}) {
  const {evidence} = step;
  return (
    <li className="origin-step" aria-current={current ? 'step' : undefined}>
      <span className="origin-number">{number}</span>
      <div className="origin-line row">
        <button
          type="button"
          className="origin-fold inline-row bare-button"
          aria-expanded={!folded}
          aria-label={`Evidence of step ${number}`}
          onClick={onFold}
        >
          <Icon name={folded ? 'right' : 'down'} size={12} />
        </button>
        <ItemChip collection={step.collection} itemKey={step.key} longest={40} />
        {evidence.outcome ? (
          <OutcomeWord outcome={evidence.outcome} />
        ) : (
          <ToneWord tone={step.kind === 'failed' ? 'error' : step.kind === 'suspended' ? 'stale' : 'plain'}>
            {kindWords[step.kind]}
          </ToneWord>
        )}
        <span className="origin-when">{step.run ? `run #${step.run}` : `#${evidence.sequence}`}</span>
      </div>
      {folded ? null : <StepEvidence step={step} />}
    </li>
  );
}
