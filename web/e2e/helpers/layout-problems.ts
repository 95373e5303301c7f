// Finds layout problems on a drawn page: overlapping texts, texts cut without a title, controls that cannot be
// clicked, squeezed icons.
import type {Page} from '@playwright/test';

export interface LayoutProblem {
  kind: 'cross' | 'cut' | 'covered' | 'squeezed';
  words: string;
}

/** The page's layout problems. Scrolls where needed and restores the position. */
export async function findLayoutProblems(page: Page): Promise<LayoutProblem[]> {
  return page.evaluate(inspectLayout);
}

/** Runs in the page, so everything it needs is inside it. */
function inspectLayout(): LayoutProblem[] {
  const found: LayoutProblem[] = [];
  const name = (element: Element) => {
    const own = element.getAttribute('aria-label') ?? element.textContent ?? '';
    const classes = [...element.classList].slice(0, 2).join('.');
    return `${element.tagName.toLowerCase()}${classes ? `.${classes}` : ''} "${own.trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
  };
  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box: Box) => box.right - box.left < 1.5 || box.bottom - box.top < 1.5;
  const screen: Box = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};

  /** The visible part of an element's content. */
  const windows = new Map<Element, Box>();
  const windowOf = (element: Element | null): Box => {
    if (element === null || element === document.documentElement) return screen;
    const known = windows.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    let box = style.position === 'fixed' ? screen : windowOf(element.parentElement);
    if (style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.contain.includes('paint')) {
      const rect = element.getBoundingClientRect();
      box = meet(box, {
        left: style.overflowX === 'visible' ? -1e6 : rect.left,
        right: style.overflowX === 'visible' ? 1e6 : rect.right,
        top: style.overflowY === 'visible' ? -1e6 : rect.top,
        bottom: style.overflowY === 'visible' ? 1e6 : rect.bottom,
      });
    }
    windows.set(element, box);
    return box;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: true});
  const isSpoken = (element: Element) => element.closest('.visually-hidden') !== null;

  /** Content that can be scrolled into view is not cut. */
  const canScroll = (element: Element): boolean => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const {overflowX, overflowY} = getComputedStyle(at);
      if (/(auto|scroll)/.test(overflowX) && at.scrollWidth > at.clientWidth + 1) return true;
      if (/(auto|scroll)/.test(overflowY) && at.scrollHeight > at.clientHeight + 1) return true;
      // A canvas that is moved by dragging.
      if (at.classList.contains('react-flow')) return true;
    }
    return false;
  };

  // Texts.
  interface Text {
    node: Text0;
    element: Element;
    box: Box;
  }
  type Text0 = globalThis.Text;
  const texts: Text[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (
    let node = walker.nextNode() as Text0 | null;
    node !== null;
    node = walker.nextNode() as Text0 | null
  ) {
    const element = node.parentElement;
    if (element === null || node.data.trim() === '' || /^(STYLE|SCRIPT|TITLE|OPTION)$/i.test(element.tagName))
      continue;
    if (!isShown(element) || isSpoken(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const seen = windowOf(element);
    const size = Number.parseFloat(getComputedStyle(element).fontSize);
    let cut = false;
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const middle = (rect.top + rect.bottom) / 2;
      // Line boxes are taller than letters: lines that touch only by their leading do not overlap.
      const tall = Math.min(rect.height, size) * 0.36;
      const whole = {left: rect.left, right: rect.right, top: middle - tall, bottom: middle + tall};
      const box = meet(whole, seen);
      if (isEmpty(box)) {
        cut ||= !isEmpty(rect) && element.closest('[inert]') === null;
        continue;
      }
      texts.push({node, element, box});
      cut ||= box.right < whole.right - 2.5 || box.left > whole.left + 2.5;
    }
    if (cut && !canScroll(element) && element.closest('[title]') === null && element.closest('svg') === null)
      found.push({kind: 'cut', words: name(element)});
  }

  const isOpaque = (element: Element) => {
    const {backgroundColor, opacity} = getComputedStyle(element);
    const alpha = /^(?:rgba|color|oklab)\(.*[,/]\s*([\d.]+)\s*\)$/.exec(backgroundColor)?.[1];
    return backgroundColor !== 'transparent' && Number(alpha ?? 1) > 0.9 && Number(opacity) > 0.9;
  };
  /** Whether an opaque element lies between the two texts. */
  const covers = (top: Element, below: Element): boolean => {
    for (let at: Element | null = top; at !== null && !at.contains(below); at = at.parentElement)
      if (isOpaque(at) || at.tagName === 'DIALOG') return true;
    return false;
  };
  texts.sort((a, b) => a.box.left - b.box.left);
  const told = new Set<string>();
  for (let i = 0; i < texts.length; i++) {
    const a = texts[i]!;
    for (let j = i + 1; j < texts.length; j++) {
      const b = texts[j]!;
      if (b.box.left >= a.box.right - 1) break;
      if (a.node === b.node) continue;
      const both = meet(a.box, b.box);
      if (both.right - both.left < 2.5 || both.bottom - both.top < 2) continue;
      if (covers(a.element, b.element) || covers(b.element, a.element)) continue;
      const words = [name(a.element), name(b.element)].sort().join(' over ');
      if (told.has(words)) continue;
      told.add(words);
      found.push({kind: 'cross', words});
    }
  }

  // Icons.
  for (const icon of document.querySelectorAll('svg[width]:not(.react-flow svg)')) {
    if (!isShown(icon)) continue;
    const asked = Number(icon.getAttribute('width'));
    const {width} = icon.getBoundingClientRect();
    if (asked <= 24 && width < asked - 0.5)
      found.push({
        kind: 'squeezed',
        words: `an icon of ${asked} is ${width.toFixed(1)} wide in ${name(icon.parentElement!)}`,
      });
  }

  // Controls.
  const controls = document.querySelectorAll<HTMLElement>(
    'button, a[href], input, select, textarea, summary, [role=tab], [role=radio], [role=menuitem], [role=slider], [role=option]',
  );
  // While a dialog is open, only its controls count.
  const modal = document.querySelector('[aria-modal=true], dialog[open], .floating');
  for (const control of controls) {
    if (!isShown(control) || isSpoken(control) || (control as HTMLButtonElement).disabled) continue;
    if (modal !== null && !modal.contains(control)) continue;
    if (getComputedStyle(control).pointerEvents === 'none') continue;
    let rect = control.getBoundingClientRect();
    if (rect.width < 2 || rect.height < 2) continue;
    const centre = () => ({x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2});
    const inside = () => {
      const {x, y} = centre();
      const seen = windowOf(control.parentElement);
      return x >= seen.left && x <= seen.right && y >= seen.top && y <= seen.bottom;
    };
    const hits = (): string | undefined => {
      if (!inside()) return canScroll(control) ? undefined : 'is out of sight';
      const {x, y} = centre();
      const hit = document.elementFromPoint(x, y);
      if (hit === null) return 'is under nothing';
      if (control.contains(hit) || hit.contains(control) || hit.closest('label')?.contains(control))
        return undefined;
      return `is under ${name(hit)}`;
    };
    const moved: {element: Element; left: number; top: number}[] = [];
    let wrong = inside() ? hits() : 'is out of sight';
    if (wrong !== undefined)
      for (let at = control.parentElement; at !== null; at = at.parentElement)
        if (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth)
          moved.push({element: at, left: at.scrollLeft, top: at.scrollTop});
    // A frozen edge hides what is scrolled under it; the control counts if it can be reached from one side.
    for (const side of ['center', 'end', 'start'] as const) {
      if (wrong === undefined) break;
      control.scrollIntoView({block: 'center', inline: side, behavior: 'instant'});
      windows.clear();
      rect = control.getBoundingClientRect();
      wrong = hits();
    }
    if (wrong !== undefined) found.push({kind: 'covered', words: `${name(control)} ${wrong}`});
    for (const {element, left, top} of moved) {
      element.scrollLeft = left;
      element.scrollTop = top;
    }
    if (moved.length > 0) windows.clear();
  }
  return found;
}
