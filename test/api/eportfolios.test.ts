// ePortfolios, and the branding of the institution.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;

const make = (person: Person, name: string, isPublic = false) => ground.eportfolio(person, { name, public: isPublic });
const page = (id: number, name: string, position: number) => ground.eportfolioPage(id, { name, position });

beforeAll(async () => {
  scene = await aCourse(ground);
  admin = await ground.admin();
});

test('users read and delete their own ePortfolios', async () => {
  const { student, student2, teacher } = scene;
  const id = await make(student, 'My work');
  await page(id, 'Second', 2);
  await page(id, 'First', 1);
  expect(ok(within(await as(student).get('/users/self/eportfolios'), 2))).toEqual([
    {
      id,
      user_id: student.id,
      name: 'My work',
      public: false,
      created_at: '2026-09-01T08:00:00Z',
      updated_at: '2026-09-01T08:00:00Z',
      workflow_state: 'active',
      deleted_at: null,
      spam_status: null,
    },
  ]);
  expect(ok(within(await as(student).get(`/eportfolios/${id}`), 2)).name).toBe('My work');
  const pages = ok(within(await as(student).get(`/eportfolios/${id}/pages`), 2));
  expect(pages.map((one: { name: string }) => one.name)).toEqual(['First', 'Second']);
  for (const stranger of [student2, teacher]) {
    ok(await as(stranger).get(`/eportfolios/${id}`), 401);
    ok(await as(stranger).get(`/eportfolios/${id}/pages`), 401);
    ok(await as(stranger).del(`/eportfolios/${id}`), 401);
    ok(await as(stranger).get(`/users/${student.id}/eportfolios`), 401);
  }
  ok(await as(student).put(`/eportfolios/${id}/moderate`, { spam_status: 'marked_as_safe' }), 401);
  ok(await as(student).get('/eportfolios/99999'), 404);
  ok(await as(student).get('/eportfolios/99999/pages'), 404);
  const gone = ok(within(await as(student).del(`/eportfolios/${id}`), 3));
  expect(gone).toMatchObject({ workflow_state: 'deleted', deleted_at: expect.any(String) });
  ok(await as(student).get(`/eportfolios/${id}`), 404);
  expect(ok(await as(student).get('/users/self/eportfolios', { include: ['deleted'] }))).toEqual([]);
  expect(ok(await as(admin).get(`/users/${student.id}/eportfolios`, { include: ['deleted'] }))).toMatchObject([{ id }]);
  expect(ok(within(await as(admin).put(`/eportfolios/${id}/restore`), 3))).toMatchObject({ workflow_state: 'active', deleted_at: null });
  ok(await as(student).put(`/eportfolios/${id}/restore`), 401);
});

test('a public ePortfolio is visible to everyone until it is marked as spam', async () => {
  const { student, student2 } = scene;
  const id = await make(student2, 'For all', true);
  expect(ok(await as(student).get(`/eportfolios/${id}`)).public).toBe(true);
  expect(ok(within(await as(admin).put(`/eportfolios/${id}/moderate`, { spam_status: 'marked_as_spam' }), 3)).spam_status).toBe(
    'marked_as_spam',
  );
  ok(await as(student).get(`/eportfolios/${id}`), 401);
  ok(await as(student2).get(`/eportfolios/${id}`));
  ok(await as(admin).put(`/eportfolios/${id}/moderate`, { spam_status: 'marked_as_ham' }), 400);
  ok(await as(admin).put(`/eportfolios/${id}/moderate`), 400);
  await make(student2, 'Another', true);
  const all = ok(within(await as(admin).put(`/users/${student2.id}/eportfolios`, { spam_status: 'marked_as_safe' }), 3));
  expect(all.map((one: { spam_status: string }) => one.spam_status)).toEqual(['marked_as_safe', 'marked_as_safe']);
  ok(await as(student).put(`/users/${student2.id}/eportfolios`, { spam_status: 'marked_as_safe' }), 401);
});

test('the branding is visible to everyone', async () => {
  const result = ok(within(await as().get('/brand_variables'), 2));
  expect(result['ic-brand-primary']).toMatch(/^#[0-9A-F]{6}$/);
  expect(result['ic-brand-primary-darkened-10']).toMatch(/^#[0-9A-F]{6}$/);
  expect(Object.values(result).every((value) => typeof value === 'string')).toBe(true);
});
