// Markdown as HTML. Embedded HTML is left in; the caller sanitises it.

import { Marked, type Tokens } from 'marked';
import { formula, mathsAside } from '../maths';
import { highlighted } from './code';

const isRelative = (address: string): boolean => !/^([a-z][a-z\d+.-]*:|\/|#)/i.test(address);

/** `relative`: the address of a file of the course, by its path relative to this one. */
export function markdown(text: string, relative: (address: string) => string | undefined): string {
  const aside = mathsAside(text);
  const marked = new Marked({
    gfm: true,
    async: false,
    walkTokens(token) {
      if (token.type !== 'link' && token.type !== 'image') return;
      const given = token as Tokens.Link | Tokens.Image;
      if (isRelative(given.href)) given.href = relative(given.href) ?? given.href;
    },
    renderer: {
      // Text that is only read has no form fields.
      checkbox: ({ checked }) => `<span class="task">${checked ? '☑' : '☐'}</span> `,
      code: ({ text, lang }) =>
        lang === 'math' ? formula(text, true) : `<pre><code>${highlighted(text, lang?.split(/\s/)[0]?.toLowerCase() ?? '')}</code></pre>`,
    },
  });
  // Front matter is for site generators.
  return aside.back(marked.parse(aside.text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, ''), { async: false }));
}
