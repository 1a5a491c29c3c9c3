// The feed agrees with GET requests while peer reviews are assigned, done and removed.

import { expect, test } from 'vitest';
import { as, ground } from '../support/api';
import { aWatchedCourse, wrote } from '../support/watched_course';

test('a peer review is in the feed of its graders, its reviewer and its student, and leaves it with the right to see it', async () => {
  const scene = await aWatchedCourse(['teacher', 'ta', 'student', 'student2', 'observer', 'stranger']);
  const { at, teacher, student, student2, course, agree, seenBy } = scene;
  const settings = { peer_reviews: true, submission_types: ['online_text_entry'] };
  const essay = wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', published: true, ...settings } }));
  const path = `${at}/assignments/${essay.id}`;
  const change = async (assignment: object) => wrote(await as(teacher).put(path, { assignment }));
  const text = { submission: { submission_type: 'online_text_entry', body: 'Mine' } };
  const work = wrote(await as(student).post(`${path}/submissions`, text));
  const review = wrote(await as(teacher).post(`${path}/submissions/${work.id}/peer_reviews`, { user_id: student2.id }));
  await agree('a review is assigned');
  const key = `peer_review ${review.id}`;
  const readers = () => (['teacher', 'ta', 'student', 'student2', 'observer', 'stranger'] as const).filter((part) => seenBy(part).has(key));
  expect(readers()).toEqual(['teacher', 'ta', 'student', 'student2']);
  expect(seenBy('student2').get(key)).toMatchObject({ user_id: student.id, assessor_id: student2.id, workflow_state: 'assigned' });

  await change({ anonymous_peer_reviews: true });
  await agree('reviews become anonymous');
  expect(seenBy('student').get(key)).not.toHaveProperty('assessor_id');
  const asked = seenBy('student2').get(key) ?? {};
  expect(asked).not.toHaveProperty('user_id');
  expect(asked.anonymous_id).toMatch(/^\w{5}$/);
  expect(asked.asset_id).not.toBe(work.id);
  expect(seenBy('teacher').get(key)).toMatchObject({ user_id: student.id, assessor_id: student2.id, asset_id: work.id });

  wrote(await as(student2).put(`${path}/anonymous_submissions/${asked.anonymous_id}`, { comment: { text_comment: 'Clear.' } }));
  await agree('the review is completed');
  expect(seenBy('student').get(key)?.workflow_state).toBe('completed');

  await change({ published: true, only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student.id] }] });
  await agree('the assignment is only for the reviewed student');
  expect(readers()).toEqual(['teacher', 'ta', 'student']);
  await change({ only_visible_to_overrides: false });

  const enrollment = [...seenBy('student2').entries()].find(([one]) => one.startsWith('enrollment '))?.[1];
  wrote(await as(teacher).del(`${at}/enrollments/${enrollment?.id}?task=inactivate`));
  await agree('the reviewer becomes inactive');
  wrote(await as(teacher).del(`${at}/enrollments/${enrollment?.id}?task=delete`));
  await agree('the reviewer leaves the course');
  expect(readers()).toEqual(['student']);
  const again = { user_id: student2.id, type: 'StudentEnrollment', enrollment_state: 'active' };
  wrote(await as(teacher).post(`${at}/enrollments`, { enrollment: again }));
  await agree('the reviewer returns');
  expect(readers()).toEqual(['teacher', 'ta', 'student', 'student2']);

  const inSection = `/sections/${course.section_id}/assignments/${essay.id}/submissions/${work.id}/peer_reviews`;
  wrote(await as(teacher).del(`${path}/submissions/${work.id}/peer_reviews?user_id=${student2.id}`));
  await agree('the review is removed');
  expect(readers()).toEqual([]);
  wrote(await as(teacher).post(inSection, { user_id: student2.id }));
  await agree('it is assigned again, in the section');
  wrote(await as(teacher).del(`${inSection}?user_id=${student2.id}`));
  await agree('and removed there');
  wrote(await as(teacher).post(inSection, { user_id: student2.id }));
  wrote(await as(teacher).del(path));
  await agree('the assignment is deleted');
  expect(readers()).toEqual([]);
});

test('a section-restricted grader receives a review once reviewer and student are in the section', async () => {
  const scene = await aWatchedCourse(['ta', 'teacher']);
  const { at, teacher, ta, student, student2, course, agree, seenBy } = scene;
  const [mine] = (await as(ta).get('/users/self/enrollments')).body as { id: number }[];
  wrote(await as(teacher).del(`${at}/enrollments/${mine?.id}?task=delete`));
  const section = await ground.section(course);
  await ground.enroll(course, ta, 'ta', { section_id: section, limited: true });
  await ground.enroll(course, student, 'student', { section_id: section });
  const settings = { peer_reviews: true, submission_types: ['online_text_entry'] };
  const essay = wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', published: true, ...settings } }));
  const path = `${at}/assignments/${essay.id}`;
  const text = { submission: { submission_type: 'online_text_entry', body: 'Mine' } };
  const work = wrote(await as(student).post(`${path}/submissions`, text));
  const review = wrote(await as(teacher).post(`${path}/submissions/${work.id}/peer_reviews`, { user_id: student2.id }));
  await agree('a review by a student of another section');
  expect(seenBy('ta').has(`peer_review ${review.id}`)).toBe(false);
  await ground.enroll(course, student2, 'student', { section_id: section });
  await agree('the reviewer joins the section');
  expect(seenBy('ta').has(`peer_review ${review.id}`)).toBe(true);
});
