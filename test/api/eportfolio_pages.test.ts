// ePortfolios as web pages: a user creates, edits and shares one with a browser only.

import { SELF } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
beforeAll(async () => {
  scene = await aCourse(ground);
});

/** A browser, signed in or not; it does not follow redirects. */
async function browser(person?: Person) {
  const cookie: Record<string, string> = person ? { Cookie: `carrel_session=${await ground.session(person)}` } : {};
  const ask = async (path: string, init: RequestInit, site: string) => {
    const headers = { ...cookie, 'Sec-Fetch-Site': site };
    const response = await SELF.fetch(`${base}${path}`, { redirect: 'manual', ...init, headers } as never);
    noteRoute(response.headers, response.status);
    const trips = Number(/d1_trips;dur=(\d+)/.exec(response.headers.get('server-timing') ?? '')?.[1]);
    return { status: response.status, text: await response.text(), to: response.headers.get('location') ?? '', trips };
  };
  return {
    open: (path: string) => ask(path, {}, 'none'),
    post: (path: string, form: Record<string, string | number>, site = 'same-origin') =>
      ask(
        path,
        { method: 'POST', body: new URLSearchParams(Object.entries(form).map(([key, value]) => [key, String(value)])) as never },
        site,
      ),
  };
}

const titlesOf = (html: string) => [...html.matchAll(/<a href="[^"]*page=(\d+)"[^>]*>([^<]*)</g)].map(([, id, name]) => [Number(id), name]);
/** The pages in navigation order. */
const pagesOf = (html: string) => titlesOf(/<nav aria-label="Pages">.*?<\/nav>/s.exec(html)?.[0] ?? '');
const sectionsOf = (html: string) =>
  [...html.matchAll(/name="section" value="(\d+)"><input type="text" name="name" value="([^"]*)"/g)].map(([, id, name]) => [
    Number(id),
    name,
  ]);

test('a user creates an ePortfolio, fills its sections and pages, and shares it by its link', async () => {
  const { student, student2 } = scene;
  const [own, other, anyone] = [await browser(student), await browser(student2), await browser()];
  expect((await own.open('/eportfolios')).text).toContain('You have no ePortfolios yet');
  expect((await anyone.open('/eportfolios')).to).toContain('/login?return_to=%2Feportfolios');
  expect((await own.post('/eportfolios', { 'eportfolio[name]': ' ' })).status).toBe(400);
  const made = await own.post('/eportfolios', { 'eportfolio[name]': 'My <work>' });
  expect([made.status, made.trips]).toEqual([303, 3]);
  const at = /^\/eportfolios\/\d+/.exec(made.to)?.[0] as string;
  const edit = async () => (await own.open(`${at}?edit=1`)).text;
  const first = await own.open(made.to);
  expect([first.status, first.trips]).toEqual([200, 2]);
  expect(first.text).toContain('My &#60;work&#62;');
  const [[home]] = sectionsOf(first.text) as [[number, string]];
  const [[welcome]] = pagesOf(first.text) as [[number, string]];
  expect([sectionsOf(first.text), pagesOf(first.text)]).toEqual([[[home, 'Home']], [[welcome, 'Welcome']]]);

  const html = '<h3>Hello</h3><script>alert(1)</script><p onclick="x()">I paint.</p>';
  expect((await own.post(at, { do: 'save_page', page: welcome, name: 'About me', content: html })).trips).toBe(3);
  const added = await own.post(at, { do: 'add_page', section: home, name: 'Paintings' });
  const paintings = Number(/page=(\d+)/.exec(added.to)?.[1]);
  await own.post(at, { do: 'save_page', page: paintings, name: 'Paintings', content: 'One & two\n\nThree < four' });
  await own.post(at, { do: 'add_section', name: 'Writing' });
  const writing = sectionsOf(await edit()).at(-1)?.[0] as number;
  await own.post(at, { do: 'add_page', section: writing, name: 'Essays' });
  await own.post(at, { do: 'move_page_up', page: paintings });
  await own.post(at, { do: 'rename_section', section: home, name: 'Art' });
  const named = (text: string) => pagesOf(text).map(([, name]) => name);
  expect(named(await edit())).toEqual(['Paintings', 'About me', 'Essays']);
  await own.post(at, { do: 'move_section_up', section: writing });
  expect(named(await edit())).toEqual(['Essays', 'Paintings', 'About me']);
  await own.post(at, { do: 'move_section_up', section: writing });
  expect(sectionsOf(await edit())).toEqual([
    [writing, 'Writing'],
    [home, 'Art'],
  ]);
  const about = (await own.open(`${at}?page=${welcome}`)).text;
  expect(about).toContain('<h3>Hello</h3>');
  expect(about).not.toMatch(/<script|onclick/);
  expect((await own.open(`${at}?page=${paintings}`)).text).toContain('<p>One &amp; two</p>\n<p>Three &lt; four</p>');
  // The API returns the same pages.
  const pages = ok(within(await as(student).get(`/eportfolios/${at.split('/')[2]}/pages`), 2)) as { name: string }[];
  expect(pages.map(({ name }) => name).sort()).toEqual(['About me', 'Essays', 'Paintings']);

  // Private until its owner shares it, and only the owner can change it.
  expect((await other.open(at)).status).toBe(404);
  expect((await anyone.open(at)).to).toContain('/login');
  await own.post(at, { do: 'settings', name: 'Work', public: '1' });
  for (const reader of [other, anyone]) {
    const seen = await reader.open(`${at}?edit=1&page=${welcome}`);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain('I paint.');
    expect(seen.text).not.toContain('<form');
    expect((await reader.post(at, { do: 'settings', name: 'Hacked' })).status).toBe(303);
  }
  expect((await own.post(at, { do: 'settings', name: 'Hacked' }, 'cross-site')).status).toBe(303);
  expect((await own.open(at)).text).toContain('<h1>Work</h1>');

  // Invalid input is reported, and nothing changes.
  for (const wrong of [
    { do: 'constructor' },
    { do: 'add_section', name: '' },
    { do: 'save_page', page: welcome, name: '' },
    { do: 'save_page', page: 999_999, name: 'x' },
    { do: 'settings', name: 'x'.repeat(256) },
  ])
    expect((await own.post(at, wrong as never)).status, JSON.stringify(wrong)).toBe(400);
  const long = await own.post(at, { do: 'save_page', page: welcome, name: 'x', content: `Long ${'x'.repeat(200_000)}` });
  expect([long.status, long.text.includes('>Long xx')]).toEqual([400, true]);
  await own.post(at, { do: 'delete_page', page: paintings });
  await own.post(at, { do: 'delete_section', section: writing });
  expect((await own.post(at, { do: 'delete_section', section: home })).status).toBe(400);
  expect(named(await edit())).toEqual(['About me']);
  expect((await own.post(at, { do: 'delete' })).to).toBe('/eportfolios');
  expect((await anyone.open(at)).to).toContain('/login');
  expect((await own.open(at)).status).toBe(404);
});

test('API clients create and change ePortfolios, too; spam is locked', async () => {
  const { student, student2, observer } = scene;
  const admin = await ground.admin();
  const made = ok(within(await as(student).post('/users/self/eportfolios', { eportfolio: { name: ' Work ', public: true } }), 3));
  expect(made).toMatchObject({ name: 'Work', public: true, user_id: student.id, workflow_state: 'active', spam_status: null });
  const pages = ok(await as(student).get(`/eportfolios/${made.id}/pages`));
  expect(pages).toMatchObject([{ name: 'Welcome', position: 1, content: '' }]);
  expect(ok(await as(observer).post('/eportfolios', { name: 'Mine' }))).toMatchObject({ name: 'Mine', public: false });
  const outside = await SELF.fetch(`${base}/eportfolios`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${observer.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ eportfolio: { name: 'By a program' } }),
  });
  expect(await outside.json()).toMatchObject({ name: 'By a program', user_id: observer.id });
  ok(await as(student).post(`/users/${student2.id}/eportfolios`, { eportfolio: { name: 'Theirs' } }), 401);
  ok(await as().post('/eportfolios', { name: 'x' }), 401);
  for (const wrong of [{}, { eportfolio: { name: ' ' } }, { name: 'x'.repeat(256) }])
    ok(await as(student).post('/eportfolios', wrong), 400);

  const one = `/eportfolios/${made.id}`;
  const changed = ok(within(await as(student).put(one, { eportfolio: { public: false } }), 3));
  expect(changed).toMatchObject({ name: 'Work', public: false });
  expect(ok(await as(student).put(one, { name: 'Works', public: true }))).toMatchObject({ name: 'Works', public: true });
  for (const other of [student2, admin]) ok(await as(other).put(one, { name: 'Hacked' }), 401);
  ok(await as(student).put('/eportfolios/999999', { name: 'x' }), 404);
  ok(await as(student).put(one, { name: 'x'.repeat(256) }), 400);

  ok(await as(admin).put(`${one}/moderate`, { spam_status: 'marked_as_spam' }));
  ok(await as(student).put(one, { name: 'Other' }), 401);
  ok(await as(student).post('/eportfolios', { name: 'Again' }), 401);
  const own = await browser(student);
  const seen = await own.open(`${one}?edit=1`);
  expect(seen.text).toContain('marked this ePortfolio as spam');
  expect(seen.text).not.toContain('<form');
  await own.post(one, { do: 'settings', name: 'Other' });
  expect((await own.post('/eportfolios', { 'eportfolio[name]': 'Again' })).to).toBe('/eportfolios');
  expect((await own.open('/eportfolios')).text).not.toContain('Create ePortfolio');
  expect((await (await browser(student2)).open(one)).status).toBe(404);
  expect((await (await browser(admin)).open(one)).status).toBe(200);
  ok(await as(admin).put(`${one}/moderate`, { spam_status: 'marked_as_safe' }));
  expect(ok(await as(student).put(one, { name: 'Safe' })).name).toBe('Safe');
  ok(await as(student).del(one));
  ok(await as(student).put(one, { name: 'Gone' }), 404);
});
