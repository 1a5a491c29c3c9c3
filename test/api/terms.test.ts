// Enrollment terms.

import { env } from 'cloudflare:test';
import { terms } from '@carrel/worker/domains/terms/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const path = '/accounts/1/terms';

test('the terms of an institution are listed under enrollment_terms, newest first', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  ok(await as(admin).post(path, { enrollment_term: { name: 'Autumn', start_at: '2026-09-01T00:00:00Z', end_at: '2026-12-20T00:00:00Z' } }));
  ok(await as(admin).post(path, { enrollment_term: { name: 'Spring', start_at: '2027-02-01T00:00:00Z' } }));
  const listed = within(await as(admin).get(path, { include: ['course_count'] }), 2);
  expect(ok(listed).enrollment_terms.map((one: { name: string }) => one.name)).toEqual(['Spring', 'Autumn', 'Default Term']);
  expect(listed.headers.get('link')).toContain('rel="current"');
  expect(ok(listed).enrollment_terms[2]).toMatchObject({ overrides: {}, course_count: 1, sis_term_id: null });
  expect(ok(await as(admin).get(path, { term_name: 'spr' })).enrollment_terms).toHaveLength(1);
  ok(await as(teacher).get(path), 401);
});

test('a term is created, returned by id, SIS id or keyword, changed and deleted', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  const given = {
    name: 'Summer',
    start_at: '2026-06-01T00:00:00Z',
    end_at: '2026-08-01T00:00:00Z',
    sis_term_id: 'S26',
    overrides: { StudentEnrollment: { start_at: '2026-06-05T00:00:00Z' }, TaEnrollment: { start_at: '', end_at: '' } },
  };
  const term = ok(within(await as(admin).post(path, { enrollment_term: given }), 3));
  expect(term).toMatchObject({
    name: 'Summer',
    sis_term_id: 'S26',
    overrides: { StudentEnrollment: { start_at: '2026-06-05T00:00:00Z', end_at: null } },
  });
  expect(ok(await as(admin).get(`${path}/sis_term_id:S26`)).id).toBe(term.id);
  // A bare date means the start of the day, and as the end of a range its end, in the caller's time zone.
  ok(await as(admin).put('/users/self', { user: { time_zone: 'America/Denver' } }));
  const dates = { start_at: '2026-06-01', end_at: '2026-08-01', overrides: { TaEnrollment: { end_at: '2026-12-01' } } };
  expect(ok(await as(admin).put(`${path}/${term.id}`, { enrollment_term: dates }))).toMatchObject({
    start_at: '2026-06-01T06:00:00Z',
    end_at: '2026-08-02T05:59:59Z',
    overrides: { TaEnrollment: { end_at: '2026-12-02T06:59:59Z' } },
  });
  ok(await as(admin).put(`${path}/${term.id}`, { enrollment_term: { start_at: '2026-02-31' } }), 400);
  ok(await as(admin).put('/users/self', { user: { time_zone: '' } }));
  ok(await as(admin).put(`${path}/${term.id}`, { enrollment_term: given }));
  expect(ok(await as(admin).get(`${path}/default`)).name).toBe('Default Term');
  const changed = ok(
    within(
      await as(admin).put(`${path}/${term.id}`, {
        enrollment_term: { name: 'High Summer', overrides: { StudentEnrollment: { start_at: '', end_at: '' } } },
      }),
      3,
    ),
  );
  expect(changed).toMatchObject({ name: 'High Summer', overrides: {}, start_at: '2026-06-01T00:00:00Z' });
  expect(ok(await as(admin).post(path, { enrollment_term: { ...given } }), 400).errors.sis_source_id[0].type).toBe('taken');
  expect(
    ok(await as(admin).put(`${path}/${term.id}`, { enrollment_term: { end_at: '2026-05-01T00:00:00Z' } }), 400).errors.base,
  ).toBeDefined();
  ok(await as(admin).post(path, { enrollment_term: { overrides: { ObserverEnrollment: { start_at: '2026-06-01' } } } }), 400);
  expect(ok(await as(admin).post(path), 400)).toEqual({ errors: [{ message: 'enrollment_term is missing' }] });
  ok(await as(teacher).post(path, { enrollment_term: given }), 401);
  expect(ok(within(await as(admin).del(`${path}/${term.id}`), 3)).workflow_state).toBe('deleted');
  ok(await as(admin).get(`${path}/${term.id}`), 404);
  const deleted = ok(await as(admin).get(path, { workflow_state: ['deleted'] })).enrollment_terms;
  expect(deleted.map((one: { id: number }) => one.id)).toEqual([term.id]);
});

test('the default term and a term with courses cannot be deleted', async () => {
  const admin = await ground.admin();
  ok(await as(admin).del(`${path}/default`), 400);
  const term = await ground.term({ name: 'Used' });
  await ground.course({ enrollment_term_id: term.id });
  ok(await as(admin).del(`${path}/${term.id}`), 400);
});

test('`current` is the only term whose dates include now', async () => {
  const admin = await ground.admin();
  await env.DB.prepare("update terms set workflow_state = 'deleted' where is_default = 0").run();
  ok(await as(admin).get(`${path}/current`), 404);
  const term = await ground.term({ name: 'Now', start_at: '2000-01-01T00:00:00Z', end_at: '2999-01-01T00:00:00Z' });
  expect(ok(await as(admin).get(`${path}/current`)).id).toBe(term.id);
  const course = await ground.course({ enrollment_term_id: term.id });
  const listed = ok(await as(admin).get('/accounts/1/courses', { enrollment_term_id: 'current' }));
  expect(listed.map((one: { id: number }) => one.id)).toEqual([course.id]);
});

test('terms belong to the root account', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  ok(await as(admin).get(`/accounts/${faculty.id}/terms`), 404);
});

test('a list of 10,000 terms costs as many trips as a list of ten', async () => {
  const admin = await ground.admin();
  await many(10_000, terms, { account_id: 1, name: nth('T'), start_at: '2026-09-01T08:00:00Z' });
  expect(ok(within(await as(admin).get(path, { per_page: 100 }), 2)).enrollment_terms).toHaveLength(100);
});
