// The feed agrees with GET requests when only time passes: nothing is written, and the feed sends only what has changed.

import { env } from 'cloudflare:test';
import { wireTime } from '@carrel/shared/wire/fields';
import { expect, test } from 'vitest';
import { as } from '../support/api';
import { upload } from '../support/upload';
import { aWatchedCourse, wrote } from '../support/watched_course';

const far = '2099-01-01T00:00:00Z';

type Scene = Awaited<ReturnType<typeof aWatchedCourse>>;

/** Moves far-away dates to a few seconds from now, and resolves when they have passed. */
async function soon(dates: readonly [table: string, column: string, id: number][]) {
  const at = Math.ceil(Date.now() / 1000) + 4;
  await env.DB.batch(
    dates.map(([table, column, id]) => env.DB.prepare(`update ${table} set ${column} = ? where id = ?`).bind(wireTime(at * 1000), id)),
  );
  return { passed: () => new Promise((resolve) => setTimeout(resolve, at * 1000 + 1000 - Date.now())) };
}

test('dates of items: they open, close, fall due and are posted', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2'], { inTime: true });
  const { at, teacher, student, student2 } = scene;
  const assign = async (name: string, given: object = {}) =>
    wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name, published: true, points_possible: 1, ...given } }))
      .id as number;
  const opening = await assign('Opens', { unlock_at: far });
  const closing = await assign('Closes', { lock_at: far });
  const due = await assign('Due', { due_at: far, submission_types: ['online_text_entry'] });
  wrote(await as(teacher).put(`${at}/assignments/${due}/submissions/${student.id}`, { comment: { text_comment: 'Begin!' } }));
  const moved = await assign('Moved for one');
  const override = wrote(
    await as(teacher).post(`${at}/assignments/${moved}/overrides`, { assignment_override: { student_ids: [student2.id], unlock_at: far } }),
  );
  const still = await assign('Stands still');
  const say = async (given: object) =>
    wrote(await as(teacher).post(`${at}/discussion_topics`, { title: 'Talk', message: 'x', published: true, ...given })).id as number;
  const later = await say({ delayed_post_at: far });
  const news = await say({ delayed_post_at: far, is_announcement: true });
  const closed = await say({ lock_at: far });
  const page = wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'In a module', body: 'x', published: true } }));
  const module = wrote(await as(teacher).post(`${at}/modules`, { module: { name: 'Later', unlock_at: far } })).id as number;
  wrote(await as(teacher).post(`${at}/modules/${module}/items`, { module_item: { type: 'Page', page_url: page.url } }));
  wrote(await as(teacher).put(`${at}/modules/${module}`, { module: { published: true } }));
  const quizzes: number[] = [];
  for (const given of [
    { quiz_type: 'survey', unlock_at: far },
    { unlock_at: far },
    { title: 'In a module' },
    { title: 'Taken', lock_at: far },
  ]) {
    const quiz = { title: 'Quiz', published: true, ...given };
    quizzes.push(wrote(await as(teacher).post(`${at}/quizzes`, { quiz })).id);
  }
  const [opens, opensToo, behind, taken] = quizzes as [number, number, number, number];
  const graded_by = async (id: number): Promise<number> => wrote(await as(teacher).get(`${at}/quizzes/${id}`)).assignment_id;
  wrote(await as(teacher).post(`${at}/modules/${module}/items`, { module_item: { type: 'Quiz', content_id: behind } }));
  const [running] = wrote(await as(student).post(`${at}/quizzes/${taken}/submissions`)).quiz_submissions;
  const set = wrote(await as(teacher).post(`${at}/group_categories`, { name: 'Teams', create_group_count: 1 })).id as number;
  const [team] = wrote(await as(teacher).get(`/group_categories/${set}/groups`));
  wrote(await as(teacher).put(`/groups/${team.id}`, { members: [student.id] }));
  const ofSet = { title: 'In groups', message: 'x', published: true, group_category_id: set };
  const [held, graded] = [
    wrote(await as(teacher).post(`${at}/discussion_topics`, ofSet)),
    wrote(await as(teacher).post(`${at}/discussion_topics`, { ...ofSet, assignment: { unlock_at: far } })),
  ];
  wrote(await as(teacher).post(`${at}/modules/${module}/items`, { module_item: { type: 'Discussion', content_id: held.id } }));
  const parts = [...held.topic_children, ...graded.topic_children].map((id) => `discussion_topic ${id}`);
  const folder = wrote(await as(teacher).post(`${at}/folders`, { name: 'Closes', lock_at: far })).id as number;
  const inner = wrote(await as(teacher).post(`/folders/${folder}/folders`, { name: 'Inner' })).id as number;
  const inside = await upload(teacher, `${at}/files`, { name: 'inside.txt', parent_folder_id: inner } as never, 'x');
  const file = await upload(teacher, `${at}/files`, { name: 'opens.txt', unlock_at: far } as never, 'x');
  wrote(await as(teacher).put(`/files/${file.id}`, { unlock_at: far }));
  const draft = wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Scheduled', body: 'x', publish_at: far } }));
  const announce = async (given: object) =>
    wrote(
      await as(scene.admin).post('/accounts/1/account_notifications', {
        account_notification: { subject: 'x', message: 'x', start_at: '2020-01-01T00:00:00Z', end_at: far, ...given },
      }),
    ).id as number;
  const [begins, ends] = [await announce({ start_at: '2098-01-01T00:00:00Z' }), await announce({})];
  await scene.agree('far-away dates');
  expect(scene.seenBy('student').has(`page ${draft.page_id}`)).toBe(false);
  expect([opens, opensToo, behind].map((id) => scene.seenBy('student').get(`quiz ${id}`)?.locked_for_user)).toEqual([true, true, true]);
  expect(parts.map((one) => scene.seenBy('student').get(one)?.locked_for_user)).toEqual([true, true]);
  expect(scene.seenBy('student').has(`file ${file.id}`)).toBe(false);
  expect(scene.seenBy('student').has(`file ${inside.id}`)).toBe(true);

  const dates = await soon([
    ['assignments', 'unlock_at', opening],
    ['assignments', 'lock_at', closing],
    ['assignments', 'due_at', due],
    ['assignments', 'unlock_at', graded.assignment_id],
    ['assignment_overrides', 'unlock_at', override.id],
    ['discussion_topics', 'delayed_post_at', later],
    ['discussion_topics', 'delayed_post_at', news],
    ['discussion_topics', 'lock_at', closed],
    ['pages', 'publish_at', draft.page_id],
    ['modules', 'unlock_at', module],
    ['quizzes', 'unlock_at', opens],
    ['assignments', 'unlock_at', await graded_by(opensToo)],
    ['quiz_submissions', 'end_at', running.id],
    ['folders', 'lock_at', folder],
    ['files', 'unlock_at', file.id],
    ['account_notifications', 'start_at', begins],
    ['account_notifications', 'end_at', ends],
  ]);
  for (const part of ['teacher', 'student', 'student2'] as const) await scene.toldTo(part);
  await dates.passed();
  const result = await scene.toldTo('student');
  await scene.agree('passed dates');
  const seen = scene.seenBy('student');
  expect([opens, opensToo, behind].map((id) => seen.get(`quiz ${id}`)?.locked_for_user)).toEqual([false, false, false]);
  expect(seen.get(`quiz_submission ${running.id}`)).toMatchObject({ overdue_and_needs_submission: true });
  expect(seen.get(`assignment ${opening}`)).toMatchObject({ locked_for_user: false });
  expect(seen.get(`assignment ${closing}`)).toMatchObject({ locked_for_user: true });
  expect(seen.get(`page ${page.page_id}`)).toMatchObject({ locked_for_user: false });
  expect(parts.map((one) => seen.get(one)?.locked_for_user)).toEqual([false, false]);
  expect(seen.get(`page ${draft.page_id}`)).toMatchObject({ title: 'Scheduled', published: true, publish_at: null });
  expect([seen.has(`discussion_topic ${news}`), seen.has(`file ${file.id}`), seen.has(`file ${inside.id}`)]).toEqual([true, true, false]);
  expect(seen.get(`discussion_topic ${closed}`)).toMatchObject({ locked: true });
  expect([...seen.values()].find((one) => one.assignment_id === due && 'missing' in one)).toMatchObject({ missing: true });
  expect([begins, ends].map((id) => seen.has(`account_notification ${id}`))).toEqual([true, false]);
  const named = new Set(result.map(({ kind, id }) => `${kind} ${id}`));
  expect(named).toContain(`assignment ${due}`);
  expect(named).not.toContain(`assignment ${still}`);
  expect(named).not.toContain(`course ${scene.course.id}`);
  expect(await scene.toldTo('student')).toEqual([]);
});

const ends = {
  terms: async ({ at, admin }: Scene) => {
    const term = wrote(await as(admin).post('/accounts/1/terms', { enrollment_term: { name: 'Spring', end_at: far } }));
    wrote(await as(admin).put(at, { course: { term_id: term.id } }));
    return term.id as number;
  },
  courses: async ({ at, admin, course }: Scene) => {
    wrote(await as(admin).put(at, { course: { end_at: far, restrict_enrollments_to_course_dates: true } }));
    return course.id;
  },
  sections: async ({ admin, course: { section_id } }: Scene) => {
    const dates = { end_at: far, restrict_enrollments_to_section_dates: true };
    wrote(await as(admin).put(`/sections/${section_id}`, { course_section: dates }));
    return section_id;
  },
} as const;

test('the end of a term, course or section hides its content where past courses are closed', async () => {
  const tables = ['terms', 'courses', 'sections'] as const;
  const all = await Promise.all(
    tables.map(async (table) => {
      const scene = await aWatchedCourse(['teacher', 'student', 'observer'], { inTime: true });
      wrote(await as(scene.teacher).post(`${scene.at}/assignments`, { assignment: { name: 'Essay', published: true } }));
      wrote(await as(scene.admin).put(`${scene.at}/settings`, { restrict_student_past_view: true }));
      const id = await ends[table](scene);
      await scene.agree(`${table} that end much later`);
      expect(scene.seenBy('student').has(`course ${scene.course.id}`)).toBe(true);
      return { scene, table, id };
    }),
  );
  const end = await soon(all.map(({ table, id }) => [table, 'end_at', id]));
  for (const { scene } of all) await Promise.all((['teacher', 'student', 'observer'] as const).map(scene.toldTo));
  await end.passed();
  for (const { scene, table } of all) {
    const there = (part: 'teacher' | 'student') => scene.seenBy(part).has(`course ${scene.course.id}`);
    await scene.agree(`${table} that have ended`);
    expect([there('teacher'), there('student')]).toEqual([true, false]);
    wrote(await as(scene.admin).put(`${scene.at}/settings`, { restrict_student_past_view: false }));
    await scene.agree(`${table} that have ended and stay open`);
    expect(there('student')).toBe(true);
  }
});
