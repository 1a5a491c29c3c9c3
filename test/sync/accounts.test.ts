// Several accounts on one desk, each with its own data; sign-in with the browser; sign-out.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { speak } from '@carrel/desktop/language/texts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isWindows, notWindows } from '../support/systems';
import { aFakeCourse, type FakeCourse } from './support/course';
import { type FakeRequest, FakeServer } from './support/fake_server';
import { withoutFeed } from './support/lists';
import { runCarrel } from './support/program';
import { filesBelow, hurriedClock, Student } from './support/student';

let one: FakeServer;
let other: FakeServer;
let algebra: FakeCourse;
let botany: FakeCourse;
let home: Student;
let desk: Desk;

const open = () => openDesk({ store: home.store, folder: home.folder, clock: hurriedClock, isManual: true });
const come = (server: FakeServer) => desk['account.login']({ url: server.url, token: server.token });
const sync = async () => {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
  return desk['sync.status'](undefined);
};
const names = async () => (await desk['courses.list'](undefined)).map(({ name }) => name);

beforeEach(async () => {
  [one, other] = [await new FakeServer().start(), await new FakeServer().start()];
  [algebra, botany] = [aFakeCourse(one, 'Algebra'), aFakeCourse(other, 'Botany')];
  algebra.file('plan.txt', 'of algebra');
  botany.file('plan.txt', 'of botany');
  home = new Student();
  desk = await open();
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await Promise.all([one.stop(), other.stop()]);
});

describe('side by side', () => {
  test('each account has its own store and folder, and one of them is shown', async () => {
    const first = await come(one);
    await sync();
    const second = await come(other);
    await sync();
    expect(await names()).toEqual(['Botany']);
    const folder = (await desk['sync.status'](undefined)).folder ?? '';
    expect(folder).toBe(`${home.folder} 127.0.0.1`);
    expect(filesBelow(home.folder).filter((path) => path.endsWith('plan.txt'))).toHaveLength(1);
    expect(filesBelow(folder).filter((path) => path.endsWith('plan.txt'))).toHaveLength(1);

    await desk['account.show']({ id: first.id });
    expect(await names()).toEqual(['Algebra']);
    expect(await desk['accounts.list'](undefined)).toMatchObject([
      { id: first.id, shown: true, phase: 'idle', keeping: { by: 'file', path: join(home.store, first.id, 'token') } },
      { id: second.id, shown: false },
    ]);
    if (!isWindows) expect(statSync(join(home.store, first.id, 'token')).mode & 0o777).toBe(0o600);
    await desk.close();
    // The account list is truncated, as after a disk error.
    writeFileSync(join(home.store, 'accounts.json'), '{"shown":"');
    desk = await open();
    expect((await desk['accounts.list'](undefined)).map(({ id, shown }) => [id, shown])).toEqual([
      [first.id, true],
      [second.id, false],
    ]);
    expect(await names()).toEqual(['Algebra']);
  });

  test('signing out removes the token, and only files that the user chose to remove', async () => {
    const first = await come(one);
    const second = await come(other);
    await sync();
    await desk['note.create']({ title: 'Buy paper', details: null, todo_date: '2026-11-21T10:00:00Z', course_id: null });
    const { folder } = await desk['sync.status'](undefined);
    expect(await desk['account.leaving']({ id: second.id })).toEqual({ folder, files: 1, unsent: 1 });
    expect(await desk['account.leave']({ id: second.id, files: 'keep' })).toEqual({ kept: 0 });
    expect(filesBelow(folder ?? '').filter((path) => path.endsWith('plan.txt'))).toHaveLength(1);
    expect(existsSync(join(home.store, second.id, 'token'))).toBe(false);
    expect(await desk['account.current'](undefined)).toMatchObject({ id: first.id });
    // Unsent changes wait until the account is added again.
    await come(other);
    await sync();
    expect(other.all('planner_note').map(({ title }) => title)).toEqual(['Buy paper']);
  });

  test('files are removed on request, but never the user’s own', async () => {
    const { id } = await come(one);
    algebra.file('notes.txt', 'printed');
    await sync();
    writeFileSync(home.path('Algebra', 'notes.txt'), 'written over');
    writeFileSync(home.path('Algebra', 'mine.txt'), 'mine');
    expect(await desk['account.leave']({ id, files: 'remove' })).toEqual({ kept: 1 });
    expect(Object.keys(home.tree()).sort()).toEqual(['Algebra/mine.txt', 'Algebra/notes.txt']);
    expect(await desk['account.current'](undefined)).toBeNull();
  });

  test('an account whose token cannot be read opens with its stored data, and asks to sign in', async () => {
    const { id } = await come(one);
    await sync();
    await desk.close();
    writeFileSync(join(home.store, id, 'token'), '');
    desk = await open();
    expect(await names()).toEqual(['Algebra']);
    expect(await sync()).toMatchObject({ phase: 'sign in' });
  });
});

describe('with the browser', () => {
  let asked: Record<string, string>[];
  const signsIn = (server: FakeServer, isKnown = true) => {
    asked = [];
    let nth = 0;
    server.words.set('/.well-known/oauth-authorization-server', isKnown ? { carrel_desk_client_id: '1' } : {});
    server.open.add('/.well-known/oauth-authorization-server').add('/login/oauth2/token');
    server.besides = ({ path }: FakeRequest, body) => {
      if (path !== '/login/oauth2/token') return undefined;
      const given = body === '' ? {} : (JSON.parse(body) as Record<string, string>);
      asked.push(given);
      if (given.refresh_token === 'spent' || given.code === 'wrong') return { status: 400, body: { error: 'invalid_grant' } };
      server.token = `fresh-${++nth}`;
      return { status: 200, body: { access_token: server.token, refresh_token: `refresh-${nth}`, expires_in: 3600 } };
    };
  };
  const answer = async (address: string, given: Record<string, string>) => {
    const query = new URL(address).searchParams;
    const to = new URL(query.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries({ state: query.get('state') ?? '', ...given })) to.searchParams.set(name, value);
    const response = await fetch(to);
    return { status: response.status, text: await response.text() };
  };
  const arrived = () =>
    vi.waitFor(async () => expect(await desk['account.current'](undefined)).not.toBeNull(), { timeout: 20_000, interval: 20 });

  test('the server’s page asks for consent, a local port receives the response once, and the token is renewed when it expires', async () => {
    signsIn(one);
    const { address } = await desk['account.browse']({ url: one.url });
    const query = new URL(address).searchParams;
    expect(address.startsWith(`${one.url}/login/oauth2/auth?`)).toBe(true);
    expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/back$/);
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(await desk['account.browsing'](undefined)).toEqual({ url: one.url, address, failure: null });

    expect(await answer(address, { state: 'of someone else', code: 'stolen' })).toMatchObject({ status: 400 });
    expect(asked).toEqual([]);
    const said = await answer(address, { code: 'the-code' });
    expect(said).toMatchObject({ status: 200, text: expect.stringContaining('You can close this page') });
    await arrived();
    expect(asked).toMatchObject([{ grant_type: 'authorization_code', client_id: '1', code: 'the-code' }]);
    expect(asked[0]?.code_verifier).toHaveLength(43);
    expect(await desk['account.browsing'](undefined)).toBeNull();
    await expect(answer(address, { code: 'again' })).rejects.toThrow();

    await sync();
    one.token = 'another than before';
    expect(await sync()).toMatchObject({ phase: 'idle', issues: [] });
    expect(asked[1]).toEqual({ grant_type: 'refresh_token', client_id: '1', refresh_token: 'refresh-1' });
    const { id = '' } = (await desk['account.current'](undefined)) ?? {};
    expect(JSON.parse(readFileSync(join(home.store, id, 'token'), 'utf8'))).toEqual({
      token: 'fresh-2',
      refresh: { client_id: '1', token: 'refresh-2' },
    });
  });

  test('a refusal, and a server that does not know the desk, are explained', async () => {
    signsIn(one);
    const { address } = await desk['account.browse']({ url: one.url });
    await answer(address, { error: 'access_denied', error_description: 'the user refused' });
    await vi.waitFor(async () => expect(await desk['account.browsing'](undefined)).toMatchObject({ failure: 'the user refused' }), {
      timeout: 20_000,
    });
    await desk['account.browse_stop'](undefined);
    expect(await desk['account.browsing'](undefined)).toBeNull();
    // German users see German messages, also on the page in the browser.
    speak('de');
    const { address: another } = await desk['account.browse']({ url: one.url });
    const { text } = await answer(another, { error: 'access_denied' }).finally(() => speak('en'));
    expect(text).toMatch(/<html lang="de" dir="ltr">.*<h1>Nicht angemeldet<\/h1>/s);
    await vi.waitFor(
      async () => expect(await desk['account.browsing'](undefined)).toMatchObject({ failure: 'der Zugang wurde nicht erlaubt' }),
      { timeout: 20_000 },
    );
    await desk['account.browse_stop'](undefined);
    signsIn(other, false);
    await expect(desk['account.browse']({ url: other.url })).rejects.toThrow(/Carrel is not registered/);
    expect((await desk['account.browse']({ url: other.url, client_id: '170000' })).address).toContain('client_id=170000');
  });

  test('the command line opens the browser, and keeps accounts separate', { timeout: 240_000 }, async (context) => {
    notWindows('the browser of this test is a shell script')(context);
    signsIn(one);
    withoutFeed(other);
    await desk.close();
    const store = join(home.home, 'cli');
    const run = (...words: string[]) => runCarrel(words, { store, cwd: home.home });
    expect(await run('login', '--url', other.url, '--token', other.token, '--folder', 'Second')).toMatchObject({ status: 0 });
    // The browser of this test requests the address and consents.
    const browser = join(home.home, 'browser');
    const yes = `const to = new URL(process.argv[1]); const back = new URL(to.searchParams.get('redirect_uri'));
      back.search = new URLSearchParams({ code: 'the-code', state: to.searchParams.get('state') }); fetch(back);`;
    writeFileSync(browser, `#!/bin/sh\nexec ${process.execPath} -e "${yes.replaceAll('"', '\\"')}" "$1"\n`, { mode: 0o755 });
    process.env.BROWSER = browser;
    try {
      const login = await run('login', '--url', one.url, '--folder', 'First');
      expect(login).toMatchObject({ status: 0, err: expect.stringContaining('/login/oauth2/auth?client_id=1') });
    } finally {
      delete process.env.BROWSER;
    }
    expect((await run('accounts')).out.split('\n')).toEqual([
      expect.stringMatching(/^ {2}1 {2}Ada Student at/),
      expect.stringMatching(/^\* 2 {2}Ada Student at/),
      '',
    ]);
    expect(await run('sync', '--account', '1')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/no sync feed.*\nComplete: 1 downloaded/),
    });
    expect((await run('status', '--account', '1', '--json')).json).toMatchObject({ url: other.url, way: 'lists' });
    expect(await run('logout', '--remove-files')).toMatchObject({ status: 0, out: expect.stringContaining('were removed from') });
    desk = await open();
  });
});
