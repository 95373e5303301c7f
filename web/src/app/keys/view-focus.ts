// Sends navigation keys to the main part of the view while no part of the view has the focus.

/** The parts that handle arrow keys, the most important first. */
const navigableParts = [
  'main [role=grid]',
  'main [role=tree] [tabindex="0"]',
  'main .node-button[tabindex="0"]',
  'main [role=listbox]',
];

/** Focuses the main part of the view, or the view itself. */
export function focusView(): void {
  const part = navigableParts.map(one => document.querySelector<HTMLElement>(one)).find(one => one !== null);
  (part ?? document.querySelector<HTMLElement>('main'))?.focus();
}

/** Moves the focus into the view, and gives the key to the focused part. */
export function moveInView(event: KeyboardEvent): boolean {
  if (!isOutsideView(document.activeElement)) return false;
  for (const selector of navigableParts) {
    const part = document.querySelector<HTMLElement>(selector);
    if (part === null) continue;
    part.focus();
    return sendKey(part, event, event.key);
  }
  return false;
}

/** The rail and the top bar have no use for arrow keys, so a click there does not block them. */
function isOutsideView(element: Element | null): boolean {
  return (
    element === null ||
    element === document.body ||
    element.tagName === 'MAIN' ||
    element.closest('.rail, .top-bar') !== null
  );
}

/** Presses another key in place of this one: `j` is the arrow down, as in k9s. */
export function pressInstead(event: KeyboardEvent, key: string): boolean {
  return sendKey(document.activeElement ?? document.body, event, key);
}

function sendKey(target: Element, {shiftKey, ctrlKey, metaKey}: KeyboardEvent, key: string): boolean {
  const init = {key, code: key, shiftKey, ctrlKey, metaKey, bubbles: true, cancelable: true};
  return !target.dispatchEvent(new KeyboardEvent('keydown', init));
}
