// The list of pinned rows with the verdict of each.
import {useState} from 'react';
import {Diff} from '../../ui/code/Diff.tsx';
import {Button, IconButton} from '../../ui/controls/Button.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import type {PinResult, PinVerdict} from './pins.ts';
import {shadowDiffLines} from './ShadowPanel.tsx';
import './pins.css';

const verdictWords: Record<PinVerdict, string> = {
  holds: 'passes',
  differs: 'differs',
  fails: 'fails',
  gone: 'row removed',
  unknown: 'not run yet',
};

export function Pins({
  results,
  onDrop,
  onAccept,
}: {
  results: readonly PinResult[];
  onDrop: (input: string) => void;
  onAccept: (input: string, items: unknown[]) => void;
}) {
  const [open, setOpen] = useState<string | null>(null);
  if (results.length === 0) return null;
  const passing = results.filter(one => one.verdict === 'holds').length;
  return (
    <section className="lab-pane lab-pins" aria-label="Tests">
      <header className="lab-pane-head">
        <h2 className="label">Tests</h2>
        <span className="lab-pane-end">
          {passing} of {results.length} pass
        </span>
      </header>
      <ul className="checks">
        {results.map(({pin, verdict, now}) => (
          <li
            key={pin.input}
            className={`check ${verdict === 'differs' || verdict === 'fails' ? 'check-wrong' : ''}`}
          >
            {verdict === 'holds' ? (
              <Icon name="check" size={14} />
            ) : verdict === 'differs' || verdict === 'fails' ? (
              <StateGlyph tone="error" size={10} />
            ) : (
              <Icon name="clock" size={14} />
            )}
            <button
              type="button"
              className="check-name mono pin-name bare-button"
              aria-expanded={open === pin.input}
              title={pin.input}
              onClick={() => setOpen(open === pin.input ? null : pin.input)}
            >
              {shortenMiddle(pin.input, 28)}
            </button>
            <span className="check-said">{verdictWords[verdict]}</span>
            <IconButton icon="close" label={`Unpin ${pin.input}`} onClick={() => onDrop(pin.input)} />
            {open === pin.input && now !== undefined ? (
              <div className="pin-diff">
                {verdict === 'holds' ? (
                  <code>{JSON.stringify(pin.items)}</code>
                ) : (
                  <>
                    <Diff
                      lines={shadowDiffLines({
                        key: pin.input,
                        state: 'different',
                        draft: now,
                        other: pin.items,
                      })}
                      label={`Difference of ${pin.input}`}
                    />
                    <Button size="small" onClick={() => onAccept(pin.input, now)}>
                      Accept this result
                    </Button>
                  </>
                )}
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
