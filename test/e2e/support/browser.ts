// A headless Chromium: the one that comes with the packages, else an installed Chrome.

import packaged from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

// The package's own arguments are for small servers: one process for all, and no web security. Here pages come and go, and security is
// tested. A graphics card that is imitated in software draws at three times the cost of drawing without one.
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

export interface Look extends BrowserContextOptions {
  readonly now?: Date;
}

/** A page of its own context, whose clock stands at `now`, and which fails the test on an error that nobody handled. */
export async function openPage(browser: Browser, { now, ...look }: Look = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, timezoneId: 'UTC', locale: 'en-GB', ...look });
  const page = await context.newPage();
  if (now) await page.clock.setFixedTime(now);
  // Long enough for a machine whose cores are all at work on other tests.
  page.setDefaultTimeout(20_000);
  return page;
}
