// The feed agrees with GET requests while sections, enrollments and whole courses change.

import { env } from 'cloudflare:test';
import { runImports } from '@carrel/worker/domains/sis_imports/job';
import type { Platform } from '@carrel/worker/platform';
import { expect, test } from 'vitest';
import { as, ground } from '../support/api';
import { csv, ending, sent } from '../support/sis';
import { aWatchedCourse, finished, wrote } from '../support/watched_course';

test('sections and enrollments', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer', 'stranger']);
  const { at, admin, teacher, student, student2, stranger, course } = scene;
  const other = await ground.course({ name: 'Other' });
  scene.watchToo(other);
  const evening = wrote(await as(teacher).post(`${at}/sections`, { course_section: { name: 'Evening' } }));
  wrote(
    await as(teacher).post('/calendar_events', {
      calendar_event: {
        context_code: `course_${course.id}`,
        title: 'Lab',
        child_event_data: [
          { context_code: `course_section_${evening.id}`, start_at: '2026-11-24T10:00:00Z', end_at: '2026-11-24T11:00:00Z' },
        ],
      },
    }),
  );
  const week = { weekdays: 'Mon', start_time: '9:00', end_time: '10:00', course_start_at: '2026-11-23', course_end_at: '2026-11-30' };
  wrote(await as(teacher).post(`${at}/calendar_events/timetable`, { timetables: { all: [week], [evening.id]: [week] } }));
  const essay = wrote(
    await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', published: true, only_visible_to_overrides: true } }),
  );
  wrote(
    await as(teacher).post(`${at}/assignments/${essay.id}/overrides`, {
      assignment_override: { course_section_id: evening.id, due_at: '2026-12-01T12:00:00Z' },
    }),
  );
  await scene.agree('a section, an event and an assignment for it');
  wrote(await as(teacher).post(`/sections/${evening.id}/enrollments`, { enrollment: { user_id: student.id, enrollment_state: 'active' } }));
  await scene.agree('a student in the section');
  expect(scene.seenBy('student').has(`assignment ${essay.id}`)).toBe(true);
  wrote(await as(teacher).put(`/sections/${evening.id}`, { course_section: { name: 'Late' } }));
  const lesson = { start_at: '2026-11-25T09:00:00Z', end_at: '2026-11-25T10:00:00Z' };
  wrote(await as(teacher).post(`${at}/calendar_events/timetable_events`, { course_section_id: evening.id, events: [lesson] }));
  await scene.agree('a section renamed');
  wrote(await as(admin).put(`${at}/sections/${evening.id}`, { course_section: { name: 'Later', sis_section_id: 'L' } }));
  await scene.agree('a section renamed again');
  wrote(
    await as(teacher).put(`/sections/${evening.id}`, {
      course_section: { start_at: '2098-01-01T00:00:00Z', end_at: '2099-01-01T00:00:00Z', restrict_enrollments_to_section_dates: true },
    }),
  );
  await scene.agree('a future section');
  wrote(await as(admin).post(`/sections/${evening.id}/crosslist/${other.id}`));
  await scene.agree('a section in another course');
  wrote(await as(admin).del(`/sections/${evening.id}/crosslist`));
  await scene.agree('a section back in its course');
  const empty = wrote(await as(teacher).post(`${at}/sections`, { course_section: { name: 'Empty' } }));
  wrote(await as(admin).del(`/sections/${empty.id}`));
  await scene.agree('a section deleted');
  const invited = wrote(await as(teacher).post(`${at}/enrollments`, { enrollment: { user_id: stranger.id } }));
  wrote(await as(stranger).post(`${at}/enrollments/${invited.id}/reject`));
  await scene.agree('an invitation rejected');
  wrote(await as(teacher).put(`${at}/users/${student2.id}/last_attended`, { date: '2026-10-01' }));
  await scene.agree('a last attendance');
  const bulk = { user_ids: [stranger.id], course_ids: [other.id], enrollment_type: 'StudentEnrollment' };
  await finished(admin, wrote(await as(admin).post('/accounts/1/bulk_enrollment', bulk)));
  await scene.agree('many enrolled');
});

test('courses: created, configured, reset', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer']);
  const { at, admin, teacher, student } = scene;
  const made = wrote(await as(admin).post('/accounts/1/courses', { course: { name: 'New' }, offer: true }));
  scene.watchToo(made);
  scene.watchToo(wrote(await as(admin).post('/courses', { course: { name: 'By hand' } })));
  wrote(await as(admin).post(`/courses/${made.id}/enrollments`, { enrollment: { user_id: student.id, enrollment_state: 'active' } }));
  await scene.agree('two more courses');
  wrote(await as(teacher).put(`${at}/settings`, { hide_final_grades: true, hide_sections_on_course_users_page: true }));
  await scene.agree('settings');
  wrote(await as(teacher).put(`${at}/settings`, { restrict_student_future_view: true, restrict_student_past_view: true }));
  wrote(await as(teacher).put(at, { course: { end_at: '2026-01-01T00:00:00Z', restrict_enrollments_to_course_dates: true } }));
  await scene.agree('a course concluded');
  wrote(await as(teacher).put(at, { course: { end_at: '', restrict_enrollments_to_course_dates: false } }));
  await scene.agree('and reopened');
  wrote(
    await as(admin).put(at, { course: { sis_course_id: 'C1', storage_quota_mb: 5, syllabus_body: '<p>Read.</p>', default_view: 'wiki' } }),
  );
  await scene.agree('identity, quota, syllabus');
  wrote(await as(teacher).post(`${at}/discussion_topics`, { title: 'Talk', message: 'x', published: true }));
  await scene.agree('a topic');
  scene.watchToo(wrote(await as(admin).post(`${at}/reset_content`)));
  await scene.agree('a course reset');
});

test('changes by an SIS import', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer', 'stranger']);
  const { admin, course, student, stranger } = scene;
  await env.DB.batch([
    env.DB.prepare("update courses set sis_course_id = 'W' where id = ?").bind(course.id),
    env.DB.prepare("update logins set sis_user_id = 'student' where user_id = ?").bind(student.id),
    env.DB.prepare("update logins set sis_user_id = 'stranger' where user_id = ?").bind(stranger.id),
  ]);
  const imports = async (what: string, file: string) => {
    const { id } = await sent(as(admin), file, { override_sis_stickiness: true });
    await runImports({ job: 'sis_import' }, env as unknown as Platform);
    // The queue may have been faster; then it ends the import.
    await ending(as(admin), id);
    await scene.agree(what);
  };
  await scene.agree('SIS ids');
  const enrollments = (...rows: string[][]) => csv('course_id,user_id,role,status', ...rows);
  await imports('somebody enrolled', enrollments(['W', 'stranger', 'student', 'active']));
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(true);
  await imports('a course renamed', csv('course_id,short_name,long_name,status', ['W', 'W', 'From SIS', 'active']));
  expect(scene.seenBy('student').get(`course ${course.id}`)?.name).toBe('From SIS');
  await imports('a person renamed', csv('user_id,login_id,full_name,status', ['student', student.login, 'From SIS', 'active']));
  await imports('somebody deleted', enrollments(['W', 'stranger', 'student', 'deleted']));
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(false);
  await imports('a course deleted', csv('course_id,short_name,long_name,status', ['W', 'W', 'From SIS', 'deleted']));
});
