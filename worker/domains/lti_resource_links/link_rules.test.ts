import { expect, test } from 'vitest';
import { customOf, toolOfLink, WrongLink } from './link_rules';

const tool = (id: number, domain: string, version: '1.1' | '1.3' = '1.3') => ({ id, url: null, domain, version });
const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof WrongLink) return error.code;
    throw error;
  }
  return 'none';
};

test('custom values are texts by name', () => {
  expect(customOf(undefined)).toEqual({});
  expect(customOf(null)).toEqual({});
  expect(customOf({ chapter: 3, open: true, name: 'x' })).toEqual({ chapter: '3', open: 'true', name: 'x' });
  const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`n${at}`, 'x']));
  for (const wrong of ['text', 5, ['x'], { deep: {} }, { nothing: null }, { long: 'x'.repeat(4097) }, tooMany])
    expect(
      codeOf(() => customOf(wrong)),
      JSON.stringify(wrong).slice(0, 50),
    ).toBe('invalid_custom');
});

test('a link opens a tool of LTI 1.3 to which its address belongs', () => {
  const tools = [tool(1, 'maps.example', '1.1'), tool(2, 'maps.example'), tool(3, 'maps.example'), tool(4, 'other.example')];
  expect(toolOfLink(tools, 'https://maps.example/x').id).toBe(2);
  expect(toolOfLink(tools, 'https://maps.example/x', 3).id).toBe(3);
  expect(toolOfLink(tools, 'https://maps.example/x', undefined, 3).id).toBe(3);
  expect(toolOfLink(tools, 'https://other.example/x', undefined, 3).id).toBe(4);
  for (const url of ['javascript://maps.example/x', 'nonsense', 'https://nowhere.example/', 'https://a:b@maps.example/'])
    expect(
      codeOf(() => toolOfLink(tools, url)),
      url,
    ).toBe('invalid_url');
  for (const asked of [1, 4, 88]) expect(codeOf(() => toolOfLink(tools, 'https://maps.example/x', asked))).toBe('url_tool_mismatch');
});
