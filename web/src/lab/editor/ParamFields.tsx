// The parameters of a formula as fields below the code: a number, a text or a switch for each.
import type {FormulaParam, ParamValue, ParamValues} from '@krtscope/shared/formulas.ts';
import {useState} from 'react';
import './param-fields.css';

export function ParamFields({
  params,
  values,
  onChange,
}: {
  params: readonly FormulaParam[];
  values: ParamValues | undefined;
  /** Gets only the values that differ from the defaults. */
  onChange: (values: ParamValues) => void;
}) {
  if (params.length === 0) return null;
  const currentValue = (param: FormulaParam) => values?.[param.name] ?? param.default;
  const set = (param: FormulaParam, value: ParamValue) => {
    const all = params.map(
      one => [one.name, one.name === param.name ? value : currentValue(one), one.default] as const,
    );
    onChange(
      Object.fromEntries(
        all.filter(([, own, standard]) => own !== standard).map(([name, own]) => [name, own]),
      ),
    );
  };
  return (
    <fieldset className="params" aria-label="Parameters">
      {params.map(param => (
        <label key={param.name} className="param inline-row gap-4" htmlFor={`param-${param.name}`}>
          <span className="param-name ellipsis" title={`${param.name}, default ${String(param.default)}`}>
            {param.name}
          </span>
          {typeof param.default === 'boolean' ? (
            <input
              id={`param-${param.name}`}
              type="checkbox"
              checked={currentValue(param) === true}
              onChange={event => set(param, event.target.checked)}
            />
          ) : (
            <TypedField
              key={`${typeof param.default} ${param.name}`}
              id={`param-${param.name}`}
              isNumber={typeof param.default === 'number'}
              value={currentValue(param)}
              onValue={value => set(param, value)}
            />
          )}
        </label>
      ))}
    </fieldset>
  );
}

/** Keeps a half-typed number, such as "0.", until it can be read. */
function TypedField({
  id,
  isNumber,
  value,
  onValue,
}: {
  id: string;
  isNumber: boolean;
  value: ParamValue;
  onValue: (value: ParamValue) => void;
}) {
  const [text, setText] = useState(String(value));
  const isReadable = !isNumber || (text.trim() !== '' && Number.isFinite(Number(text)));
  const shown = isReadable && (isNumber ? Number(text) : text) !== value ? String(value) : text;
  return (
    <input
      id={id}
      className="param-field"
      inputMode={isNumber ? 'decimal' : 'text'}
      value={shown}
      aria-invalid={!isReadable}
      title={isReadable ? undefined : 'Enter a number'}
      onChange={event => {
        const typed = event.target.value;
        setText(typed);
        if (!isNumber) onValue(typed);
        else if (typed.trim() !== '' && Number.isFinite(Number(typed))) onValue(Number(typed));
      }}
    />
  );
}
