// MathML of course texts as the MathML that books may contain: elements with as many children as they need, attributes with values that exist. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { XmlChild, XmlElement } from '../cartridge/xml/read';
import { xml } from '../cartridge/xml/write';
import type { HtmlElement, HtmlNode } from './parse_html';

const namespace = 'http://www.w3.org/1998/Math/MathML';

/** Elements of text. */
const tokens = new Set(['mi', 'mn', 'mo', 'ms', 'mtext']);
/** Elements with any number of children. */
const rows = new Set(['menclose', 'merror', 'mpadded', 'mphantom', 'mrow', 'msqrt', 'mstyle', 'mtd']);
/** Elements with a number of children of their own. */
const arities: Readonly<Record<string, number>> = {
  mfrac: 2,
  mover: 2,
  mroot: 2,
  msub: 2,
  msubsup: 3,
  msup: 2,
  munder: 2,
  munderover: 3,
};

const yesOrNo = /^(true|false)$/;
const length = /^-?\d{0,6}(\.\d{1,6})?(em|ex|px|in|cm|mm|pt|pc|%)$/;
const variants =
  /^(normal|bold|italic|bold-italic|double-struck|bold-fraktur|script|bold-script|fraktur|sans-serif|bold-sans-serif|sans-serif-italic|sans-serif-bold-italic|monospace)$/;
const ofTokens = { mathvariant: variants };
const kept: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  math: { display: /^(block|inline)$/ },
  menclose: {
    notation:
      /^(longdiv|actuarial|radical|box|roundedbox|circle|left|right|top|bottom|updiagonalstrike|downdiagonalstrike|verticalstrike|horizontalstrike)$/,
  },
  mfrac: { linethickness: length },
  mi: ofTokens,
  mn: ofTokens,
  mo: {
    ...ofTokens,
    accent: yesOrNo,
    fence: yesOrNo,
    form: /^(prefix|infix|postfix)$/,
    largeop: yesOrNo,
    lspace: length,
    maxsize: length,
    minsize: length,
    movablelimits: yesOrNo,
    rspace: length,
    separator: yesOrNo,
    stretchy: yesOrNo,
    symmetric: yesOrNo,
  },
  mover: { accent: yesOrNo },
  mpadded: { depth: length, height: length, width: length },
  ms: ofTokens,
  mspace: { depth: length, height: length, width: length },
  mstyle: { displaystyle: yesOrNo, scriptlevel: /^[+-]?\d$/ },
  mtable: { columnalign: /^(left|center|right)( (left|center|right))*$/, displaystyle: yesOrNo },
  mtd: { columnspan: /^[1-9]\d?$/, rowspan: /^[1-9]\d?$/ },
  mtext: ofTokens,
  munder: { accentunder: yesOrNo },
  munderover: { accent: yesOrNo, accentunder: yesOrNo },
};

const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';
const textOf = (node: HtmlNode): string => (isElement(node) ? node.children.map(textOf).join('') : node);

/** An element that books do not accept as it is becomes its text. */
class NotAllowed extends Error {}

const attributesOf = ({ name, attributes }: HtmlElement): Record<string, string> =>
  Object.fromEntries(
    Object.entries(lookUp(kept, name) ?? {}).flatMap(([key, form]) => {
      const value = lookUp(attributes, key)?.trim();
      return value !== undefined && form.test(value) ? [[key, value]] : [];
    }),
  );

/** The children of a row; text between elements becomes an element of text. */
const inRow = (children: readonly HtmlNode[]): XmlElement[] =>
  children.flatMap((child) => {
    if (isElement(child)) return [expression(child)];
    return child.trim() === '' ? [] : [xml('mtext', {}, child.trim())];
  });

/** Elements of one name, as the rows of a table and their cells. */
const all = (name: string, children: readonly HtmlNode[]): XmlElement[] =>
  children
    .filter((child) => isElement(child) || child.trim() !== '')
    .map((child) => {
      if (!isElement(child) || child.name !== name) throw new NotAllowed();
      return expression(child);
    });

/** A base, and pairs of scripts on each side. */
function scripts(children: readonly HtmlNode[]): XmlElement[] {
  const some = children.filter(isElement);
  const at = some.findIndex(({ name }) => name === 'mprescripts');
  const [after, before] = at < 0 ? [some, []] : [some.slice(0, at), some.slice(at + 1)];
  if (after.length % 2 !== 1 || before.length % 2 !== 0) throw new NotAllowed();
  return [...after.map(expression), ...(at < 0 ? [] : [xml('mprescripts')]), ...before.map(expression)];
}

/** @throws NotAllowed */
function expression(element: HtmlElement): XmlElement {
  const { name, children } = element;
  const attributes = attributesOf(element);
  if (tokens.has(name)) return xml(name, attributes, textOf(element).trim());
  if (name === 'mspace') return xml(name, attributes);
  if (rows.has(name)) return xml(name, attributes, inRow(children));
  if (name === 'mtable') return xml(name, attributes, all('mtr', children));
  if (name === 'mtr') return xml(name, attributes, all('mtd', children));
  if (name === 'mmultiscripts') return xml(name, attributes, scripts(children));
  const parts = inRow(children);
  if (parts.length !== lookUp(arities, name)) throw new NotAllowed();
  return xml(name, attributes, parts);
}

/** A formula, or its text where it is no valid MathML. */
export function bookFormula(element: HtmlElement): XmlChild[] {
  try {
    return [xml('math', { xmlns: namespace, ...attributesOf(element) }, inRow(element.children))];
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return [textOf(element).replaceAll(/\s+/g, ' ').trim()].filter((text) => text !== '');
  }
}

/** Whether a document has formulas, which its entry in the package states. */
export const hasFormulas = (content: readonly XmlChild[]): boolean =>
  content.some((one) => typeof one !== 'string' && (one.name === 'math' || hasFormulas(one.children)));
