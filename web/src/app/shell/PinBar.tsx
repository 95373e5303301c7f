// The pinned items above the Timeline, each with its newest state.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {togglePin, usePins} from '../../store/pins.ts';
import {useSubscription} from '../../stream/use-subscription.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {ItemChip} from '../../ui/indicators/ItemChip.tsx';
import {Age} from '../../ui/text/Age.tsx';
import './pin-bar.css';

export function PinBar() {
  const pins = usePins();
  if (pins.length === 0) return null;
  return (
    <section className="pin-bar bar gap-12" aria-label="Pinned items">
      <span className="label">Pinned</span>
      {pins.map(pin => (
        <Pin key={`${pin.collection} ${pin.key}`} pin={pin} />
      ))}
    </section>
  );
}

function Pin({pin}: {pin: ItemRef}) {
  const {answer, failure} = useSubscription({ask: 'item', ...pin});
  return (
    <span className="pin">
      <ItemChip collection={pin.collection} itemKey={pin.key} longest={26} outcome={answer?.outcome} />
      <span className="pin-state">
        {answer ? (
          <>
            {answer.outcome} <Age at={answer.at} />
          </>
        ) : failure ? (
          'not found'
        ) : (
          ''
        )}
      </span>
      <button
        type="button"
        className="pin-off inline-row bare-button"
        aria-label={`Unpin ${pin.collection} ${pin.key}`}
        title="Unpin"
        onClick={() => togglePin(pin)}
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}
