// Texts in QTI: an element is plain text or HTML. Pure.

import { htmlToText } from '../../html/plain';
import { elementsOf, isElement, spacedTextOf, type XmlElement } from '../xml/read';
import { markupOf, xml, xmlText } from '../xml/write';

/** A text of an answer or comment, with its HTML if it has one. */
export interface Rich {
  readonly text: string;
  readonly html?: string;
}

/** XML readers may trim a text that does not ask for its spaces. */
export const spaces = (text: string) => (text === text.trim() ? {} : { 'xml:space': 'preserve' });

/** HTML whose plain text is another one has it as its label. */
export const mattext = ({ text, html }: { readonly text?: string; readonly html?: string }): XmlElement =>
  html
    ? xml('mattext', { texttype: 'text/html', label: (text ?? '') === htmlToText(html) ? undefined : (text ?? ''), ...spaces(html) }, html)
    : xml('mattext', { texttype: 'text/plain', ...spaces(text ?? '') }, text ?? '');

export const material = (rich: Partial<Rich>): XmlElement => xml('material', {}, mattext(rich));

const looksLikeHtml = (text: string): boolean => /<\/?[a-z][^<>]*>/i.test(text);

/** Text without a type is HTML if it contains tags. */
export function richOf(element: XmlElement | undefined): Rich {
  if (!element) return { text: '' };
  const { texttype = '', label } = element.attributes;
  const isMarkup = element.children.some(isElement);
  const content = isMarkup ? markupOf(element).trim() : spacedTextOf(element);
  const type = texttype.toLowerCase();
  const isHtml = isMarkup || type === 'text/html' || type === 'text/xhtml' || (type !== 'text/plain' && looksLikeHtml(content));
  return isHtml && content !== '' ? { text: label ?? htmlToText(content), html: content } : { text: content };
}

const escapedLines = (text: string): string => xmlText(text).replace(/\n/g, '<br>');

/** A text as HTML. */
export const htmlOfRich = ({ text, html }: Rich): string => html ?? escapedLines(text);

/** The images and texts of an element, outside of responses; in document order. */
export function materialsOf(element: XmlElement, ...without: readonly string[]): XmlElement[] {
  return elementsOf(element).flatMap((one) =>
    one.name === 'mattext' || one.name === 'matemtext' || one.name === 'matimage'
      ? [one]
      : without.includes(one.name)
        ? []
        : materialsOf(one, ...without),
  );
}

const attributeText = (text: string): string => xmlText(text).replaceAll('"', '&quot;');

/** An image is a link to a file of the package. */
export function htmlOfMaterial(element: XmlElement): string {
  if (element.name !== 'matimage') return htmlOfRich(richOf(element));
  const { uri = '', label = '' } = element.attributes;
  return uri === '' ? '' : `<img src="${attributeText(uri)}" alt="${attributeText(label)}">`;
}
