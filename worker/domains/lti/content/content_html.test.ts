import { expect, test } from 'vitest';
import { contentHtml } from './content_html';
import type { ContentItem } from './content_items';

const item = (given: Partial<ContentItem>): ContentItem => ({
  type: 'link',
  title: undefined,
  text: undefined,
  url: undefined,
  html: undefined,
  mediaType: undefined,
  custom: {},
  isFramed: false,
  width: undefined,
  height: undefined,
  lineItem: undefined,
  unlock_at: undefined,
  due_at: undefined,
  lock_at: undefined,
  ...given,
});

test('items become links, frames and images', () => {
  expect(contentHtml(item({ title: 'A & B' }), 'https://x.example/?a=1&b=2')).toBe(
    '<a href="https://x.example/?a=1&#38;b=2">A &#38; B</a>',
  );
  expect(contentHtml(item({ type: 'ltiResourceLink', isFramed: true, width: 600 }), 'https://x.example/')).toBe(
    '<iframe src="https://x.example/" title="https://x.example/" width="600"></iframe>',
  );
  expect(contentHtml(item({ type: 'image', title: '"x"', height: 5 }), 'https://x.example/i.png')).toBe(
    '<img src="https://x.example/i.png" alt="&#34;x&#34;" height="5">',
  );
  expect(contentHtml(item({ type: 'html', html: '<b>x</b><script>y()</script>' }), '')).not.toContain('script');
});
