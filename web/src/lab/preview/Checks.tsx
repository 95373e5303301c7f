// The list of checks on the draft: pure, deterministic, unique keys, no mutation, indexed, cost.

import type {FormulaCheck} from '@krtscope/shared/formulas.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';

const checkNames: Record<string, string> = {
  pure: 'Pure',
  deterministic: 'Deterministic',
  'unique-keys': 'Unique keys',
  'input-unchanged': 'No mutation',
  indexed: 'Fetches indexed',
  cost: 'Cost',
  'fan-out': 'Fan-out',
  ends: 'Terminates',
  'no-throws': 'No throws',
};

/** These checks are advice and amber. The others are errors and red. */
const adviceChecks = new Set(['indexed', 'cost', 'fan-out']);

export function Checks({
  checks,
  total,
  failed,
  earlier,
}: {
  checks: readonly FormulaCheck[];
  total: number;
  failed: number;
  /** The checks come from the last version that ran, not from the current text. */
  earlier: boolean;
}) {
  const throws: FormulaCheck[] = checks.some(one => /throw/.test(one.code))
    ? []
    : [
        {
          code: 'no-throws',
          holds: failed === 0,
          message:
            failed === 0
              ? `${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'}`
              : `${failed} of ${total.toLocaleString('en')} rows`,
        },
      ];
  const all = total === 0 && checks.length === 0 ? [] : [...checks, ...throws];
  const passed = all.filter(one => one.holds).length;
  return (
    <section className="lab-pane lab-checks" aria-label="Checks">
      <header className="lab-pane-head">
        <h2 className="label">Checks</h2>
        {all.length === 0 ? null : (
          <span className="lab-pane-end">
            {passed} of {all.length} pass{earlier ? ', in the last version that ran' : ''}
          </span>
        )}
      </header>
      {all.length === 0 ? (
        <p className="lab-hint">Checks appear when the formula has run.</p>
      ) : (
        <ul className="checks">
          {all.map(check => (
            <li
              key={check.code}
              className={`check ${check.holds ? '' : adviceChecks.has(check.code) ? 'check-advice' : 'check-wrong'}`}
            >
              {check.holds ? (
                <Icon name="check" size={14} />
              ) : adviceChecks.has(check.code) ? (
                <Icon name="warning" size={14} />
              ) : (
                <StateGlyph tone="error" size={10} />
              )}
              <span className="check-name">{checkNames[check.code] ?? checkName(check.code)}</span>
              <span className="visually-hidden">{check.holds ? 'holds' : 'does not hold'}</span>
              <span className="check-said" title={check.message}>
                {check.message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function checkName(code: string): string {
  const text = code.replaceAll('-', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
