// DOM elements created without markup, so that any text stays text.

export type Child = Node | string | number | null | undefined | false | readonly Child[];
type Given = Readonly<Record<string, unknown>>;

function furnish(element: Element, given: Given, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  appendChildren(element, children);
}

/** Appends children; ignores null and undefined. */
export function appendChildren(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) appendChildren(element, child as readonly Child[]);
    else element.append(child instanceof Node ? child : String(child));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, given: Given = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  furnish(element, given, children);
  return element;
}

export function svg(tag: string, given: Given = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  furnish(element, given, children);
  return element;
}

let last = 0;
/** A unique id, for references between elements. */
export const newId = (): string => `x${++last}`;
