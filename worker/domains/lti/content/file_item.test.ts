import { expect, test } from 'vitest';
import { nameOfFile } from './file_item';

test('a file is named by its title, with the extension of its address where the title has none', () => {
  const named = (url: string, title?: string) => nameOfFile({ title, text: undefined, url });
  expect(named('https://tool.example/files/a%20b.pdf?x=1')).toBe('a b.pdf');
  expect(named('https://tool.example/files/7.pdf', 'Paper')).toBe('Paper.pdf');
  expect(named('https://tool.example/files/7.pdf', 'Paper.docx')).toBe('Paper.docx');
  expect(named('https://tool.example/')).toBe('file');
  expect(named('https://tool.example/%E0%A4%A')).toBe('%E0%A4%A');
  expect(named('https://tool.example/x', 'y'.repeat(300)).length).toBeLessThan(256);
});
