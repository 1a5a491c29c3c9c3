// Course HTML as a line of plain text.

import { Parser } from 'htmlparser2';

const apart = new Set([
  'br',
  'p',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'tr',
  'td',
  'th',
  'div',
  'dd',
  'dt',
  'figcaption',
  'blockquote',
]);
const unsaid = new Set(['script', 'style', 'template', 'noscript', 'textarea', 'option']);

export function plainText(html: string | null | undefined, most = Number.POSITIVE_INFINITY): string {
  const text = wordsOf(html ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length <= most ? text : `${text.slice(0, most).replace(/\s+\S*$/, '')}…`;
}

function wordsOf(html: string): string {
  if (!html.includes('<') && !html.includes('&')) return html;
  let text = '';
  let silent = 0;
  const parser = new Parser({
    onopentag(name) {
      if (unsaid.has(name)) silent++;
      if (apart.has(name)) text += ' ';
    },
    ontext(words) {
      if (silent === 0) text += words;
    },
    onclosetag(name) {
      if (unsaid.has(name)) silent--;
      if (apart.has(name)) text += ' ';
    },
  });
  parser.end(html);
  return text;
}
