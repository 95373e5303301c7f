// The element that has the keyboard focus.

/** Looks inside shadow roots too: focusing only the host would lose the focus. */
export function findActiveElement(): HTMLElement | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement ? at : null;
}
