// The moment that is asked about: follows the address, one step at a time. Leaves the choice of a moment to the store.
import {create} from 'zustand';
import {useApp} from '../store/app.ts';
import {stream} from './client.ts';

/** A pointer moves faster than answers come. Views subscribe after this one is set, so a step takes at least so long. */
const minSpacingMs = 40;
/** A question nobody answers must not hold the page at a moment for ever. */
const maxWaitMs = 500;

/** The next moment is asked for when every view has the answer of the one before: all of them show the same one. */
export const useRequestedMoment = create<{moment: number | null}>()(() => ({
  moment: useApp.getState().route.moment,
}));

let since = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

function followRoute(): void {
  const goal = useApp.getState().route.moment;
  if (goal === useRequestedMoment.getState().moment) return;
  const waited = Date.now() - since;
  const due = waited >= maxWaitMs || (waited >= minSpacingMs && stream.subscriptions.waiting === 0);
  // Back to live, and into the past, at once: nothing of the one may stand beside the other.
  if (due || goal === null || useRequestedMoment.getState().moment === null) {
    since = Date.now();
    useRequestedMoment.setState({moment: goal});
    return;
  }
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(followRoute, waited < minSpacingMs ? minSpacingMs - waited : maxWaitMs - waited);
}

useApp.subscribe(followRoute);
// What has just come is drawn first: asked in the same breath, the next moment would take its place before anybody saw it.
stream.subscriptions.onSettled(() => setTimeout(followRoute));
