// Programs with their words told apart by colour.

import hljs from 'highlight.js/lib/common';

/** More would take longer than it helps. */
const most = 200_000;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function highlighted(text: string, language: string): string {
  if (text.length > most || !hljs.getLanguage(language)) return escaped(text);
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}
