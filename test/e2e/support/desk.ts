// Opens the desk for a test: the browser host over a backing, and pages with a fixed time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Desk } from '@carrel/desktop/hosts/desk';
import { serveDesk } from '@carrel/desktop/hosts/web/main';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type BrowserLook, openBrowser, openPage } from './browser';
import { openLibrary, type RunningLibrary, type Shelving } from './library';

/** A Friday morning. */
export const fixedNow = new Date('2026-11-20T09:40:00Z');

export interface Visited<D extends Desk> {
  readonly desk: D;
  readonly url: string;
  readonly origin: string;
  readonly folder: string;
  /** Opens a page of the desk by its address after `#`. */
  readonly visit: (place?: string, look?: BrowserLook) => Promise<Page>;
}

/**
 * Opens a page of the desk, and waits until the data it requests is shown.
 * @throws Error when the address does not change within 10 s, because a script in a page has no time limit of its own
 */
export async function moveTo(page: Page, place: string) {
  await page.evaluate(
    (hash) =>
      new Promise<void>((arrived, failed) => {
        if (location.hash === hash) return arrived();
        setTimeout(() => failed(new Error(`${location.hash} did not become ${hash}`)), 10_000);
        // After two frames the view is drawn. If a busy machine draws no frames, continues after half a second.
        const drawn = () => {
          requestAnimationFrame(() => requestAnimationFrame(() => arrived()));
          setTimeout(arrived, 500);
        };
        window.addEventListener('hashchange', drawn, { once: true });
        location.replace(hash);
      }),
    place,
  );
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy]'), undefined, { polling: 50 });
}

/** Closes everything that a test has opened after the test, and the browser after the file. */
export function deskRoom() {
  let browser: Browser;
  const leaving: (() => Promise<unknown> | unknown)[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const leave of leaving.splice(0).reverse()) await leave();
  });
  afterAll(() => browser.close());

  async function serve<D extends Desk>(open: (place: { store: string; folder: string }) => D | Promise<D>): Promise<Visited<D>> {
    const home = mkdtempSync(join(tmpdir(), 'carrel-desk-'));
    const place = { store: join(home, 'desk'), folder: join(home, 'Study') };
    const desk = await open(place);
    const served = await serveDesk({ port: 0, store: place.store, desk });
    leaving.push(
      () => rmSync(home, { recursive: true, force: true }),
      () => served.close(),
    );
    return {
      desk,
      url: served.url,
      origin: new URL(served.url).origin,
      folder: place.folder,
      async visit(at = '#/today', look = {}) {
        const page = await openPage(browser, { now: fixedNow, ...look });
        leaving.push(() => page.context().close());
        await page.goto(served.url);
        await page.waitForSelector('h1');
        await moveTo(page, at);
        return page;
      },
    };
  }

  return {
    serve,
    library: (shelving: Partial<Shelving> = {}): Promise<Visited<RunningLibrary>> =>
      serve(({ folder }) => openLibrary({ folder, now: fixedNow, ...shelving })),
  };
}
