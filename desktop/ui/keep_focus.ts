// Keeps the keyboard focus near: when the focused element disappears, for example a deleted row or a used button, the nearest remaining element
// receives it, so that keyboard users do not start again at the top of the page.

import { useEffect } from 'react';

const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

const isSeen = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true });

/** In a list, the title of the first row is the element to focus. */
const within = (place: Element): HTMLElement | undefined =>
  [...place.querySelectorAll<HTMLElement>('[data-stop]'), ...firstsOf(place)].find(isSeen);

const firstsOf = (place: Element): HTMLElement[] => [
  ...(place.matches(focusable) ? [place as HTMLElement] : []),
  ...place.querySelectorAll<HTMLElement>(focusable),
];

const isDisabled = (element: Element) => element.matches(':disabled');

/** A parent of an element, and the position in it. */
type Position = readonly [parent: Element, at: number];

/** From the nearest parent to the root. */
function positionsOf(element: HTMLElement): readonly Position[] {
  const path: Position[] = [];
  for (let child: Element = element; child.parentElement; child = child.parentElement)
    path.push([child.parentElement, [...child.parentElement.children].indexOf(child)]);
  return path;
}

/** What is now nearest to the position of an element that has disappeared. */
function nearest([parent, at]: Position): HTMLElement | undefined {
  // When the element was replaced by something other than a sibling of its kind, the screen's title gets the focus.
  const rest = parent.querySelector<HTMLElement>(':scope > [data-rest]');
  if (rest) return rest;
  // The element that has moved up to its place, else the one before it.
  const beside = [...[...parent.children].slice(at), ...[...parent.children].slice(0, at).reverse()];
  for (const one of beside) {
    const found = within(one);
    if (found) return found;
  }
  return undefined;
}

/** Remembers where an element is; the returned function focuses it again, or what is now nearest to its place. */
export function domPositionOf(element: HTMLElement): () => void {
  const { id } = element;
  const path = positionsOf(element);
  return () => {
    if (element.isConnected && !isDisabled(element) && isSeen(element)) return element.focus();
    const again = id ? document.getElementById(id) : null;
    if (again && !isDisabled(again)) return again.focus();
    const scope = document.querySelector('dialog[open]') ?? document.querySelector('main');
    const found = scope && nearestIn(scope, path);
    if (found) return found.focus();
    scope?.querySelector<HTMLElement>('h1[tabindex]')?.focus();
    if (document.activeElement === document.body && scope instanceof HTMLElement) scope.focus();
  };
}

function nearestIn(scope: Element, path: readonly Position[]): HTMLElement | undefined {
  for (const position of path) {
    const [parent] = position;
    const found = parent.isConnected && scope.contains(parent) ? nearest(position) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A new screen focuses its title itself, and a busy button gets the focus back when its work is done. */
const [aMoment, aRest] = [60, 1000];

export function useKeptFocus(): void {
  useEffect(() => {
    let last: { readonly element: HTMLElement; readonly giveBack: () => void } | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = () => document.activeElement === document.body || document.activeElement === null;
    const look = () => {
      timer = undefined;
      if (last && (isLost() || isDisabled(last.element))) last.giveBack();
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last = { element: target, giveBack: domPositionOf(target) };
    };
    // A click outside of everything removes the focus on purpose.
    const onPress = () => {
      last = undefined;
    };
    const watch = new MutationObserver(() => {
      if (!last || timer || (document.activeElement === last.element && !isDisabled(last.element))) return;
      if (isLost() || isDisabled(last.element)) timer = setTimeout(look, isDisabled(last.element) ? aRest : aMoment);
    });
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress, true);
    };
  }, []);
}
