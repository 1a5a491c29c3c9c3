// Program text with syntax highlighting.

import hljs from 'highlight.js/lib/common';

/** Highlighting more would take too long. */
const most = 200_000;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function highlighted(text: string, language: string): string {
  if (text.length > most || !hljs.getLanguage(language)) return escaped(text);
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}
