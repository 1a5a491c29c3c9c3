// Hostile HTML in a browser, after sanitising: as the server stores it, and as the desk shows it. Without the policies and the sandbox that
// would also stop it.

import { clean } from '@carrel/desktop/engine/text/clean';
import { readingDocument } from '@carrel/desktop/ui/reader/document';
import { sanitise } from '@carrel/shared/html/sanitise';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileHtml } from '../support/hostile_html';
import { openBrowser, openPage } from './support/browser';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** A page of a server that knows nothing else, with what it requested. */
async function opened(html: string) {
  const page = await openPage(browser);
  const requested: string[] = [];
  await page.route('**/*', (route) => {
    const { url, isStart } = { url: route.request().url(), isStart: route.request().url() === 'https://desk.example/' };
    if (!isStart) requested.push(url);
    return isStart ? route.fulfill({ contentType: 'text/html', body: html }) : route.abort();
  });
  await page.addInitScript(() => {
    Object.assign(window, { ran: [] as string[] });
    window.alert = (what) => void (window as unknown as { ran: string[] }).ran.push(String(what));
  });
  await page.goto('https://desk.example/');
  return { page, requested };
}

/** Runs in the browser: what each text becomes that must not be there, however often and wherever it is parsed. */
async function offences(texts: readonly string[]) {
  const elements =
    'script, style, svg, object, embed, form, input, button, select, textarea, base, meta, link, template, noscript, title, xmp, plaintext';
  const addresses = ['href', 'src', 'poster', 'cite', 'action', 'formaction', 'srcset', 'data', 'background', 'xlink:href'];
  const isSafe = (value: string) => {
    const { protocol } = new URL(value, 'https://desk.example/');
    return ['http:', 'https:', 'ftp:', 'mailto:', 'tel:'].includes(protocol) || /^data:image\/(?!svg)/i.test(value.trim());
  };
  const found: string[] = [];
  const examine = (root: Element, text: string) => {
    for (const element of root.querySelectorAll(elements)) found.push(`<${element.localName}> in ${text}`);
    for (const element of root.querySelectorAll('*'))
      for (const { name, value } of element.attributes)
        if (/^on|^srcdoc$|^name$/.test(name) || (addresses.includes(name) && !isSafe(value))) found.push(`${name}="${value}" in ${text}`);
  };
  const containers = ['<p>%</p>', '<table><tr><td>%</td></tr></table>', '<math><mtext>%</mtext></math>', '<select>%</select>'];
  for (const text of texts) {
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = text;
    examine(place, text);
    // A sanitised text that is written and read again must not become another.
    for (let nth = 0; nth < 2; nth++) {
      place.innerHTML = `${place.innerHTML}`;
      examine(place, text);
    }
    for (const container of containers) {
      const inner = new DOMParser().parseFromString(
        container.replace('%', () => text),
        'text/html',
      ).body;
      for (const own of inner.querySelectorAll('select')) own.replaceWith(...own.childNodes);
      examine(inner, `${container}: ${text}`);
    }
  }
  // Failed images and other events come after this task.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return [...found, ...(window as unknown as { ran: string[] }).ran];
}

test('hostile HTML runs nothing in a browser once it is sanitised, however it is inserted', async () => {
  const { page } = await opened('<!doctype html><title>x</title><body>');
  expect(await page.evaluate(offences, hostileHtml.map(sanitise))).toEqual([]);
  // What is not sanitised is found, in the elements and by what it runs.
  const unsanitised = await page.evaluate(offences, ['<img src=x onerror=alert(1)>']);
  expect(unsanitised).toContain('onerror="alert(1)" in <img src=x onerror=alert(1)>');
  expect(unsanitised).toContain('1');
});

test('as the desk shows it, hostile HTML runs nothing and requests nothing', async () => {
  const shown = hostileHtml.map((html) => clean(html, { base: 'https://canvas.example', to: () => undefined }));
  const { page, requested } = await opened('<!doctype html><title>x</title><body>');
  expect(await page.evaluate(offences, shown)).toEqual([]);
  expect(requested).toEqual([]);

  const reading = { title: 'Hostile', html: shown.map((html) => `<section>${html}</section>`).join('') };
  const whole = readingDocument(reading as Parameters<typeof readingDocument>[0], {
    styleSheet: 'about:blank',
    theme: undefined,
    letters: 1,
  }).replace(/<meta http-equiv[^>]*>/, '');
  const rendered = await opened(whole);
  expect(await rendered.page.evaluate(() => document.querySelectorAll('body > section').length)).toBe(hostileHtml.length);
  expect(await rendered.page.evaluate(() => (window as unknown as { ran: string[] }).ran)).toEqual([]);
  expect(rendered.requested).toEqual([]);
});
