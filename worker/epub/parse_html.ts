// Reads sanitised HTML into elements that nest, as browsers close them. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { withCharacters } from './entities';

export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
}
export type HtmlNode = HtmlElement | string;

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

export const blockElements: ReadonlySet<string> = new Set(
  words(`address article aside blockquote caption center dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav
    ol p pre section summary table tbody td tfoot th thead tr ul colgroup col`),
);
const empty: ReadonlySet<string> = new Set(words('area br col embed hr img input link meta source track wbr'));

/** What the start of an element ends, up to the element that contains both. */
const ended: Readonly<Record<string, { readonly ends: readonly string[]; readonly within: readonly string[] }>> = {
  li: { ends: ['li'], within: ['ul', 'ol'] },
  dt: { ends: ['dt', 'dd'], within: ['dl'] },
  dd: { ends: ['dt', 'dd'], within: ['dl'] },
  td: { ends: ['td', 'th'], within: ['tr', 'table'] },
  th: { ends: ['td', 'th'], within: ['tr', 'table'] },
  tr: { ends: ['tr'], within: ['tbody', 'thead', 'tfoot', 'table'] },
  tbody: { ends: ['tbody', 'thead', 'tfoot', 'caption', 'colgroup'], within: ['table'] },
  thead: { ends: ['tbody', 'thead', 'tfoot', 'caption', 'colgroup'], within: ['table'] },
  tfoot: { ends: ['tbody', 'thead', 'tfoot', 'caption', 'colgroup'], within: ['table'] },
};

/** Deeper elements are left out; their text remains. */
const deepest = 60;

const token = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi;
const attribute = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(attribute)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      withCharacters(double ?? single ?? bare ?? ''),
    ]),
  );

class Tree {
  readonly root: HtmlElement = { name: 'root', attributes: {}, children: [] };
  readonly #open: HtmlElement[] = [this.root];

  text(given: string): void {
    if (given !== '') this.#top().children.push(withCharacters(given));
  }

  start(name: string, attributes: Record<string, string>): void {
    if (blockElements.has(name)) this.#endUpTo(['p'], (one) => one !== 'p' && blockElements.has(one));
    const implied = lookUp(ended, name);
    if (implied) this.#endUpTo(implied.ends, (one) => implied.within.includes(one));
    const element: HtmlElement = { name, attributes, children: [] };
    if (empty.has(name)) this.#top().children.push(element);
    else if (this.#open.length <= deepest) {
      this.#top().children.push(element);
      this.#open.push(element);
    }
  }

  end(name: string): void {
    if (!empty.has(name)) this.#endUpTo([name], () => false);
  }

  #top = (): HtmlElement => this.#open.at(-1) ?? this.root;

  /** Ends the innermost open element of these names, and what is open in it. */
  #endUpTo(names: readonly string[], isBorder: (name: string) => boolean): void {
    for (let at = this.#open.length - 1; at > 0; at -= 1) {
      const { name } = this.#open[at] ?? this.root;
      if (names.includes(name)) {
        this.#open.length = at;
        return;
      }
      if (isBorder(name)) return;
    }
  }
}

/** The nodes of a text that is sanitised. */
export function parseHtml(html: string): readonly HtmlNode[] {
  const tree = new Tree();
  let last = 0;
  for (const found of html.matchAll(token)) {
    const [whole, slash, name, attributes = ''] = found;
    tree.text(html.slice(last, found.index));
    last = found.index + whole.length;
    if (name === undefined) continue;
    if (slash) tree.end(name.toLowerCase());
    else tree.start(name.toLowerCase(), attributesOf(attributes));
  }
  tree.text(html.slice(last));
  return tree.root.children;
}
