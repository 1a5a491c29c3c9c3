import { expect, test } from 'vitest';
import { isAtTool, toolFor } from './matching';

const tool = (id: number, url: string | null, domain: string | null = null) => ({ id, url, domain });

test('the address decides before the address without query, and that before the domain', () => {
  const tools = [tool(1, null, 'maps.example'), tool(2, 'https://maps.example/launch'), tool(3, 'https://maps.example/launch?b=2&a=1')];
  expect(toolFor(tools, 'https://maps.example/launch?a=1&b=2')?.id).toBe(3);
  expect(toolFor(tools, 'https://maps.example/launch?c=1')?.id).toBe(2);
  expect(toolFor(tools, 'https://maps.example/elsewhere')?.id).toBe(1);
  expect(toolFor(tools, 'https://sub.maps.example/x')?.id).toBe(1);
  expect(toolFor(tools, 'https://notmaps.example/x')).toBeUndefined();
  expect(toolFor(tools, 'https://maps.example.evil.example/')).toBeUndefined();
  expect(toolFor(tools, 'nonsense')).toBeUndefined();
});

test('the nearest tool is taken, and a preferred one only where it matches', () => {
  const tools = [tool(1, null, 'maps.example'), tool(2, null, 'maps.example'), tool(3, 'https://other.example/')];
  expect(toolFor(tools, 'https://maps.example/x')?.id).toBe(1);
  expect(toolFor(tools, 'https://maps.example/x', 2)?.id).toBe(2);
  expect(toolFor(tools, 'https://maps.example/x', 3)?.id).toBe(1);
  expect(isAtTool(tool(1, 'https://a.example/x'), 'https://a.example/x/')).toBe(true);
  expect(isAtTool(tool(1, null, null), 'https://a.example/')).toBe(false);
});

test('only addresses of the web belong to a tool', () => {
  const tools = [tool(1, 'https://maps.example/launch', 'maps.example')];
  for (const address of ['javascript://maps.example/%0aalert(1)', 'ftp://maps.example/launch', 'data://maps.example/x']) {
    expect(toolFor(tools, address), address).toBeUndefined();
    expect(toolFor(tools, address, 1), address).toBeUndefined();
    expect(isAtTool(tool(1, null, 'maps.example'), address), address).toBe(false);
  }
  expect(isAtTool(tool(1, null, 'maps.example'), 'http://maps.example/x')).toBe(true);
});
