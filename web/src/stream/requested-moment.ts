// The moment that views query: follows the URL one step at a time. The store chooses the moment.
import {create} from 'zustand';
import {useApp} from '../store/app.ts';
import {stream} from './client.ts';

/**
 * A pointer moves faster than answers come. Views subscribe after this delay, so a step takes at least that
 * long.
 */
const minSpacingMs = 40;
/** A query without an answer must not hold the page at one moment for ever. */
const maxWaitMs = 500;

/** Requests the next moment once every view has the answer for this one, so that all views show the same moment. */
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
  // Switch between live and past at once: the two must not stand side by side.
  if (due || goal === null || useRequestedMoment.getState().moment === null) {
    since = Date.now();
    useRequestedMoment.setState({moment: goal});
    return;
  }
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(followRoute, waited < minSpacingMs ? minSpacingMs - waited : maxWaitMs - waited);
}

useApp.subscribe(followRoute);
// Draw the answer first. Otherwise the next moment would replace it before the user sees it.
stream.subscriptions.onSettled(() => setTimeout(followRoute));
