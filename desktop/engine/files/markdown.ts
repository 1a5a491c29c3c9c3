// Markdown as HTML. Its own HTML is left in: whoever shows it cleans it.

import { Marked, type Tokens } from 'marked';
import { formula, mathsAside } from '../maths';
import { highlighted } from './code';

const isRelative = (address: string): boolean => !/^([a-z][a-z\d+.-]*:|\/|#)/i.test(address);

/** `relative`: where a file of the course lies that is called by its path from this one. */
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
      // A form has no place in a reading.
      checkbox: ({ checked }) => `<span class="task">${checked ? '☑' : '☐'}</span> `,
      code: ({ text, lang }) =>
        lang === 'math' ? formula(text, true) : `<pre><code>${highlighted(text, lang?.split(/\s/)[0]?.toLowerCase() ?? '')}</code></pre>`,
    },
  });
  // The head that site builders read is not for people.
  return aside.back(marked.parse(aside.text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, ''), { async: false }));
}
