// Shows hidden characters in every text of the page: a name with U+202E would look like another name.
// Works on the document because texts of the cluster are drawn in many places. It runs before each paint.
import {escapeHiddenCharacters, hasHiddenCharacters} from '@krtscope/shared/text/hidden-characters.ts';

const attributes = ['title', 'aria-label'];

/** Escapes hidden characters below this element, now and after each change; returns a function that stops it. */
export function escapeHiddenCharactersIn(root: Element): () => void {
  const observer = new MutationObserver(changes => {
    for (const {type, target, addedNodes} of changes) {
      if (type === 'childList') for (const node of addedNodes) escapeNode(node);
      else if (target instanceof Text) escapeText(target);
      else escapeAttributes(target as Element);
    }
  });
  escapeNode(root);
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: attributes,
  });
  return () => observer.disconnect();
}

function escapeNode(node: Node): void {
  if (node instanceof Text) return escapeText(node);
  if (!(node instanceof Element)) return;
  escapeAttributes(node);
  for (const child of node.childNodes) escapeNode(child);
}

function escapeText(text: Text): void {
  if (!hasHiddenCharacters(text.data)) return;
  // An editor shows such characters itself, and a changed node would change the user's text.
  if (text.parentElement?.closest('[contenteditable="true"]')) return;
  text.data = escapeHiddenCharacters(text.data);
}

function escapeAttributes(element: Element): void {
  for (const name of attributes) {
    const value = element.getAttribute(name);
    if (value !== null && hasHiddenCharacters(value))
      element.setAttribute(name, escapeHiddenCharacters(value));
  }
}
