// What has the keyboard.

/** Also inside shadow roots: whoever gave the focus back to their host would give it to nobody. */
export function findActiveElement(): HTMLElement | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLElement ? at : null;
}
