// A headless Chromium: the bundled one, else an installed Chrome.

import packaged from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

// The package's default arguments are for small servers: a single process and no web security. These tests open many pages and test security.
// Software rendering of a GPU costs three times as much as rendering without one.
const unfit =
  /^--(single-process|no-zygote|disable-web-security|allow-running-insecure-content|disable-site-isolation|disable-features|in-process-gpu|ignore-gpu|use-gl|use-angle|enable-unsafe-swiftshader)/;

export async function openBrowser(): Promise<Browser> {
  try {
    const args = packaged.args.filter((argument) => !unfit.test(argument));
    return await chromium.launch({ executablePath: await packaged.executablePath(), args: [...args, '--disable-gpu'], timeout: 20_000 });
  } catch {
    return chromium.launch({ channel: 'chrome' });
  }
}

export interface BrowserLook extends BrowserContextOptions {
  readonly now?: Date;
}

/** A page in its own context with the clock at `now`; the test fails on an unhandled error in the page. */
export async function openPage(browser: Browser, { now, ...look }: BrowserLook = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, timezoneId: 'UTC', locale: 'en-GB', ...look });
  const page = await context.newPage();
  if (now) await page.clock.setFixedTime(now);
  // Long enough for a machine that is busy with other tests.
  page.setDefaultTimeout(60_000);
  return page;
}
