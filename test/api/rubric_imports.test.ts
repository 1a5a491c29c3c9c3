// Imports of rubrics from CSV files.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { importRubrics, unfinishedRubricImports } from '@carrel/worker/domains/rubrics/imports/job';
import { resume } from '@carrel/worker/steps';
import { expect, test, vi } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const names =
  'Rubric Name,Criteria Name,Criteria Description,Criteria Enable Range,Rating Name,Rating Description,Rating Points,Rating Name,Rating Description,Rating Points';
const file = (...lines: string[]) => {
  const form = new FormData();
  form.set('attachment', new File([[names, ...lines].join('\n')], 'rubrics.csv', { type: 'text/csv' }));
  return form;
};
const work = (id: number) => importRubrics({ job: 'rubric_import', ids: [id] }, env as never);

test('a teacher imports the rubrics of a file; wrong rows are reported and leave out their rubric', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/rubrics`;
  ok(await as(teacher).post(at, { rubric: { title: 'Essay' } }));
  ok(await as(student).post(`${at}/upload`, file('Essay,Method,,,Good,,5')), 401);
  expect(ok(await as(teacher).post(`${at}/upload`, new FormData()), 400)).toEqual({ message: 'No file attached' });
  expect(ok(await as(teacher).get(`${at}/upload/latest`), 404)).toEqual({ message: 'Import not found' });
  const begun = ok(
    within(
      await as(teacher).post(
        `${at}/upload`,
        file(
          'Essay,Method,How,false,Poor,,1,Good,Very,5',
          'Essay,Style,,true,Good,,2.5',
          'Lab,,,,Good,,3',
          '"Talk, free",Voice,,,Good,,3',
          'Essay,Other,,,Good,,1',
        ),
      ),
      3,
    ),
  );
  expect(begun).toMatchObject({ course_id: course.id, user_id: teacher.id, attachment: { filename: 'rubrics.csv' }, error_count: 0 });
  expect(['created', 'importing', 'succeeded_with_errors']).toContain(begun.workflow_state);
  // The queue delivers at least once.
  await work(begun.id);
  await work(begun.id);
  const done = ok(within(await as(teacher).get(`${at}/upload/latest`), 2));
  expect(done).toMatchObject({
    id: begun.id,
    workflow_state: 'succeeded_with_errors',
    progress: 100,
    error_count: 1,
    error_data: [{ row: 4, message: 'Criteria Name is missing' }],
    user: { id: teacher.id },
  });
  const made = ok(within(await as(teacher).get(`${at}/upload/${begun.id}/rubrics`), 2));
  expect(made.map((one: { title: string; points_possible: number }) => [one.title, one.points_possible])).toEqual([
    ['Essay (1)', 7.5],
    ['Talk, free', 3],
    ['Essay (2)', 1],
  ]);
  const [method] = made[0].data;
  expect(method).toMatchObject({
    description: 'Method',
    long_description: 'How',
    ratings: [{ description: 'Good', points: 5 }, { points: 1 }],
  });
  expect(method.id.startsWith(`${made[0].id}_`)).toBe(true);
  expect(ok(await as(teacher).get(at))).toHaveLength(4);
  ok(await as(student).get(`${at}/upload/${begun.id}`), 401);
  const other = await aCourse(ground);
  ok(await as(other.teacher).get(`/courses/${other.course.id}/rubrics/upload/${begun.id}`), 404);
  ok(await as(other.teacher).get(`/courses/${other.course.id}/rubrics/upload/${begun.id}/rubrics`), 404);
});

test('an account has rubrics by import, which its courses use and copy', async () => {
  const admin = await ground.admin();
  const { course, teacher } = await aCourse(ground);
  const template = await as(teacher).get('/rubrics/upload_template');
  expect(template.headers.get('content-type')).toContain('text/csv');
  const form = new FormData();
  form.set('attachment', new File([String(ok(template))], 'template.csv'));
  ok(await as(teacher).post('/accounts/1/rubrics/upload', form), 401);
  const { id } = ok(await as(admin).post('/accounts/1/rubrics/upload', form));
  await work(id);
  expect(ok(await as(admin).get(`/accounts/1/rubrics/upload/${id}`))).toMatchObject({ workflow_state: 'succeeded', account_id: 1 });
  const [shared] = ok(within(await as(admin).get('/accounts/1/rubrics'), 2));
  expect(ok(await as(admin).get('/accounts/1/rubrics/download'))).toBe(ok(template));
  expect(shared).toMatchObject({ title: 'Essay', context_type: 'Account', points_possible: 14, data: [{}, {}] });
  ok(await as(teacher).get(`/accounts/1/rubrics/${shared.id}`), 401);
  const essay = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true } }), 201);
  const target = { association_id: essay.id, association_type: 'Assignment' };
  const use = ok(
    await as(teacher).post(`/courses/${course.id}/rubric_associations`, { rubric_association: { ...target, rubric_id: shared.id } }),
  );
  expect(
    ok(await as(admin).get(`/accounts/1/rubrics/${shared.id}`, { include: ['assignment_associations', 'assessments'] })),
  ).toMatchObject({
    associations: [{ id: use.id, context_id: course.id }],
    assessments: [],
  });
  const { course: gone } = await aCourse(ground);
  const theirs = ok(await as(admin).post(`/courses/${gone.id}/assignments`, { assignment: { name: 'Essay' } }), 201);
  const elsewhere = { rubric_id: shared.id, association_id: theirs.id, association_type: 'Assignment' };
  ok(await as(admin).post(`/courses/${gone.id}/rubric_associations`, { rubric_association: elsewhere }));
  ok(await as(admin).del(`/courses/${gone.id}`, { event: 'delete' }));
  // A deleted course is no place of a rubric.
  expect(ok(within(await as(admin).get(`/accounts/1/rubrics/${shared.id}/used_locations`), 2))).toEqual([
    { id: course.id, name: course.name, 'concluded?': false, assignments: [{ id: essay.id, title: 'Essay' }] },
  ]);
  // A teacher changes a copy in the course.
  const edited = ok(
    await as(teacher).put(`/courses/${course.id}/rubrics/${shared.id}`, { rubric: { title: 'Ours' }, rubric_association_id: use.id }),
  );
  expect(edited).toMatchObject({
    rubric: { title: 'Ours', context_type: 'Course', points_possible: 14 },
    rubric_association: { id: use.id },
  });
  expect(ok(await as(admin).get(`/accounts/1/rubrics/${shared.id}`))).toMatchObject({ title: 'Essay', workflow_state: 'active' });
  const broken = new FormData();
  broken.set('attachment', new File(['Title\nA'], 'x.csv'));
  const failed = ok(await as(admin).post('/accounts/1/rubrics/upload', broken));
  await work(failed.id);
  expect(ok(await as(admin).get(`/accounts/1/rubrics/upload/${failed.id}`))).toMatchObject({
    workflow_state: 'failed',
    error_data: [{ message: 'the column Rubric Name is missing' }],
  });
});

test('an import whose message was lost is continued, once, and one that fails for an hour is given up', async () => {
  const { course, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}/rubrics`;
  const begin = async (title: string): Promise<number> => ok(await as(teacher).post(`${at}/upload`, file(`${title},Method,,,Good,,5`))).id;
  const [lost, broken] = [await begin('Lost'), await begin('Broken')];
  const sent: object[] = [];
  const later = new Date(Date.now() + 5 * 60_000).toISOString();
  const db = open(env.DB, newMeter(), 'first-primary');
  const WORK = { send: async (job: object) => void sent.push(job) };
  await resume([unfinishedRubricImports], { WORK } as never, db, later);
  for (const id of [lost, broken]) expect(sent).toContainEqual({ job: 'rubric_import', ids: [id] });
  await Promise.all([work(lost), work(lost)]);
  await work(lost);
  expect(ok(await as(teacher).get(`${at}/upload/${lost}`))).toMatchObject({ workflow_state: 'succeeded', progress: 100 });
  expect(ok(await as(teacher).get(`${at}/upload/${lost}/rubrics`))).toMatchObject([{ title: 'Lost' }]);
  const trigger = "create trigger broken before insert on rubrics when new.title = 'Broken' begin select raise(abort, 'out of order'); end";
  await env.DB.prepare(trigger).run();
  await expect(work(broken)).rejects.toThrow('out of order');
  vi.useFakeTimers({ now: Date.now() + 2 * 60 * 60_000, toFake: ['Date'] });
  await work(broken).finally(() => vi.useRealTimers());
  await env.DB.prepare('drop trigger broken').run();
  expect(ok(await as(teacher).get(`${at}/upload/${broken}`))).toMatchObject({
    workflow_state: 'failed',
    error_data: [{ message: 'An error occurred.' }],
  });
});

test('exported rubrics are imported elsewhere as they were, whatever they are called', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/rubrics`;
  const make = async (title: string, criteria: object[]) =>
    ok(await as(teacher).post(at, { rubric: { title, criteria } }, { json: true })).rubric.id;
  const ratings = [
    { description: '=Good, "very"', long_description: 'Two\nlines', points: 5 },
    { description: 'Poor', points: 0.5 },
  ];
  const first = await make('Essay', [{ description: '-Method', long_description: 'How; and why', criterion_use_range: true, ratings }]);
  await make('Essay', [{ description: 'Points only', points: 4 }]);
  const exported = within(await as(teacher).get(`${at}/download`), 2);
  expect(exported.headers.get('content-disposition')).toContain('rubrics.csv');
  const [elsewhere, form] = [await aCourse(ground), new FormData()];
  form.set('attachment', new File([String(ok(exported))], 'rubrics.csv'));
  const there = `/courses/${elsewhere.course.id}/rubrics`;
  const { id } = ok(await as(elsewhere.teacher).post(`${there}/upload`, form));
  await work(id);
  expect(ok(await as(elsewhere.teacher).get(`${there}/upload/${id}`))).toMatchObject({ workflow_state: 'succeeded' });
  const [essay, points] = ok(await as(elsewhere.teacher).get(`${there}/upload/${id}/rubrics`));
  expect(essay).toMatchObject({
    title: 'Essay',
    points_possible: 5,
    data: [{ description: '-Method', long_description: 'How; and why', criterion_use_range: true, ratings }],
  });
  expect(points).toMatchObject({
    title: 'Essay (1)',
    points_possible: 4,
    data: [{ description: 'Points only', ratings: [{ points: 4 }] }],
  });
  // Some of them, for those who manage rubrics here.
  const some = String(ok(await as(teacher).get(`${at}/download`, { rubric_ids: [first] })));
  expect([some.includes('Method'), some.includes('Points only')]).toEqual([true, false]);
  ok(await as(teacher).get(`${at}/download`, { rubric_ids: [essay.id] }), 400);
  ok(await as(student).get(`${at}/download`), 401);
  expect(String(ok(await as(elsewhere.student).get('/rubrics/upload_template')))).toContain('Rubric Name');
});
