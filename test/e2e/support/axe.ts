// What axe finds on a page.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

export async function axeFindings(page: Page): Promise<string[]> {
  // Injected from outside, because the page's policy allows no other script; once per page, because navigation does not reload it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`));
}
