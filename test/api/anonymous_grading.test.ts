// Anonymous grading: until all grades are posted, no response links a student with the work that graders see.

import { SELF } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { anonymousId } from '@carrel/worker/crypto/anonymous_id';
import { postGrades } from '@carrel/worker/domains/submissions/posting/posting';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { askAs, broadQuery, isRead } from '../support/access';
import { type AnonymousScene, anAnonymousScene } from '../support/anonymous_scene';
import { as, base, ground, manyStudents, nth, ok, within } from '../support/api';
import type { Answer } from '../support/client';
import { endpoints, fillPath, pathValuesIn } from '../support/every_endpoint';
import { aCourse, type Person } from '../support/ground';
import { linksIn } from '../support/linking';
import { mirrorOf } from '../support/mirror';
import { upload } from '../support/upload';

const platform = bindings as unknown as Platform;
// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

const post = async (person: Person, path: string, body: object = {}) => {
  const work = ok(await as(person).post(`${path}/post_grades`, body));
  await postGrades({ job: 'post_grades', progress_id: work.id }, platform);
  expect(ok(await as(person).get(`/progress/${work.id}`)).workflow_state).toBe('completed');
};

let scene: AnonymousScene;
beforeAll(async () => {
  scene = await anAnonymousScene();
}, 90_000);

/** The addresses of a GET endpoint, about a student in the anonymous assignments, once by each id of the submission; the second also names the student in parameters. */
function addressesOf(endpoint: Endpoint): string[] {
  const { students, work, moderated, anonymous, anonymousSubmission, realId, files, ids } = scene;
  const [student] = students as [Person];
  const file = files[0] as { id: number };
  const variants = [
    { assignment: work, submission: realId(work, student) },
    { assignment: moderated, submission: anonymousSubmission(work, student) },
  ];
  const named = { grouped: 'true', user_id: student.id, student_id: student.id };
  const asked = Object.entries(named).filter(([name]) => Object.hasOwn(endpoint.options.params ?? {}, name));
  const addresses = variants.map(({ assignment, submission }, nth) => {
    const here = {
      ...scene,
      student,
      student2: student,
      anonymous_id: anonymous(assignment, student),
      ids: { ...ids, assignment: assignment.id, submission, file: file.id, ownFile: file.id },
    };
    const more = nth === 0 ? '' : asked.map(([name, value]) => `&${name}=${value}`).join('');
    return `${fillPath(endpoint, pathValuesIn(endpoint, here))}?${broadQuery(endpoint, here)}${more}`;
  });
  return [...new Set(addresses)];
}

/** What links in the response to a request: in its body, and in its headers beside the body. A success for the right student only would link as well. */
async function linksAt(address: string, person: Person): Promise<string[]> {
  const { status, text, legible } = await askAs('GET', address, person);
  const asked = status < 300 ? address : '';
  const file = /\/files\/\d+/.exec(asked)?.[0] ?? '';
  return [...linksIn(text, asked, scene.facts), ...linksIn(`${legible.slice(text.length)}${file}`, `${asked}\n${text}`, scene.facts)].map(
    (part) => `${address} → ${status} ${part}`,
  );
}

/** Every GET request that links. @param most addresses of an endpoint */
async function links(person: Person, most: number): Promise<string[]> {
  const found: string[] = [];
  for (const endpoint of endpoints.filter(isRead))
    for (const address of addressesOf(endpoint).slice(0, most)) found.push(...(await linksAt(address, person)));
  return found;
}

test('no endpoint links a student with anonymous work until it is posted', { timeout: 120_000 }, async () => {
  const { teacher, ta, designer, path, students, anonymous, work, moderated, rubric, rubric_association, course } = scene;
  const [student] = students as [Person, Person];
  for (const [nth, one] of students.entries()) {
    const single = `${path}/anonymous_submissions/${anonymous(work, one)}`;
    const graded = ok(
      within(await as(teacher).put(single, { submission: { posted_grade: 7.3125 + nth }, comment: { text_comment: 'for a student' } }), 3),
    );
    expect(linksIn(JSON.stringify(graded), single, scene.facts)).toEqual([]);
    const provisional = `/courses/${course.id}/assignments/${moderated.id}/anonymous_submissions/${anonymous(moderated, one)}`;
    ok(await as(teacher).put(provisional, { submission: { posted_grade: 6.1875 + nth, provisional: true } }));
    const assessed = ok(
      within(
        await as(teacher).post(`/courses/${course.id}/rubric_associations/${rubric_association.id}/rubric_assessments`, {
          rubric_assessment: { anonymous_id: anonymous(work, one), [`criterion_${rubric.data[0].id}`]: { points: 7.3125 + nth } },
        }),
        3,
      ),
    );
    expect(assessed).toMatchObject({ anonymous_id: anonymous(work, one), artifact: { anonymous_id: anonymous(work, one) } });
    expect(linksIn(JSON.stringify(assessed), '', scene.facts)).toEqual([]);
  }
  expect(await links(teacher, 2)).toEqual([]);
  for (const person of [ta, designer]) expect(await links(person, 1)).toEqual([]);
  // Students and account admins see whose it is, and the search finds that.
  const own = `/api/v1${path}/submissions/${student.id}`;
  for (const person of [student, scene.root]) expect(await linksAt(own, person)).not.toEqual([]);
  await post(teacher, path);
  const inCourse = `/api/v1/courses/${course.id}`;
  for (const address of [
    own,
    `/api/v1${path}/submissions`,
    `${inCourse}/students/submissions?student_ids[]=all&grouped=true`,
    `${inCourse}/gradebook_history/feed`,
    `${inCourse}/rubrics/${rubric.id}?include[]=assessments&style=full`,
  ])
    expect(await linksAt(address, teacher), address).not.toEqual([]);
});

interface Task {
  readonly at: string;
  readonly id: number;
}
const essay = { name: 'Essay', published: true, points_possible: 10, submission_types: ['online_text_entry'], anonymous_grading: true };
async function aTask({ course, teacher }: { course: { id: number }; teacher: Person }, more: object = {}): Promise<Task & { made: Body }> {
  const made = ok(within(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { ...essay, ...more } }), 3), 201);
  return { made, id: made.id, at: `/courses/${course.id}/assignments/${made.id}` };
}
const idOf = ({ id }: Task, person: { id: number }) => anonymousId({ secret: platform.SIGNING_SECRET, assignment_id: id }, person.id);
const handIn = async ({ at }: Task, student: Person) =>
  ok(await as(student).post(`${at}/submissions`, { submission: { submission_type: 'online_text_entry', body: `by ${student.id}` } }), 201);
const gradeOf = (task: Task, by: Person, student: Person, posted_grade: string) =>
  as(by).put(`${task.at}/anonymous_submissions/${idOf(task, student)}`, { submission: { posted_grade } });
const isAnonymous = async ({ at }: Task, person: Person) => ok(await as(person).get(at)).anonymize_students;

test('anonymous grading is switched on and off until there are grades, and does not go with groups and discussions', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const task = await aTask(scene);
  expect(task.made).toMatchObject({ anonymous_grading: true, anonymize_students: true, post_manually: true });
  const put = (assignment: object, by = teacher) => as(by).put(task.at, { assignment });
  expect(ok(within(await put({ anonymous_grading: false }), 3))).toMatchObject({ anonymous_grading: false, anonymize_students: false });
  expect(ok(await put({ anonymous_grading: true }))).toMatchObject({ anonymous_grading: true, anonymize_students: true });
  const copy = ok(await as(teacher).post(`${task.at}/duplicate`));
  expect(copy).toMatchObject({ anonymous_grading: true, anonymize_students: true });

  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const create = (more: object) => as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { ...essay, ...more } });
  for (const more of [{ group_category_id: set.id }, { submission_types: ['discussion_topic'] }, { submission_types: ['online_quiz'] }])
    expect(ok(await create(more), 400).errors).toHaveProperty('anonymous_grading');
  expect(ok(await put({ group_category_id: set.id }), 400).errors).toHaveProperty('group_category_id');
  expect(ok(await put({ submission_types: ['discussion_topic'] }), 400).errors).toHaveProperty('submission_types');
  const topic = { title: 'x', published: true, assignment: { points_possible: 5, anonymous_grading: true } };
  expect(ok(await as(teacher).post(`/courses/${course.id}/discussion_topics`, topic), 400).errors).toHaveProperty('anonymous_grading');

  await handIn(task, student);
  ok(await gradeOf(task, teacher, student, '7'));
  expect(ok(await put({ anonymous_grading: false }), 400).errors).toHaveProperty('anonymous_grading');
  ok(await put({ anonymous_grading: true, name: 'Renamed' }));
  await post(teacher, task.at);
  expect(ok(await put({ anonymous_grading: false }))).toMatchObject({ anonymous_grading: false, anonymize_students: false });
});

test('names appear when everything is posted, and disappear when a grade is hidden or a new submission comes', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const task = await aTask(scene);
  await handIn(task, student);
  ok(await gradeOf(task, teacher, student, '7'));
  for (const [body, field] of [
    [{ graded_only: true }, 'graded_only'],
    [{ section_ids: [course.section_id] }, 'section_ids'],
  ] as const)
    expect(JSON.stringify(ok(await as(teacher).post(`${task.at}/post_grades`, body), 400))).toContain(field);
  const feed = mirrorOf(as(teacher));
  const inFeed = async () => {
    await feed.catchUp();
    return feed.view.get(`assignment ${task.id}`)?.anonymize_students;
  };
  expect(await inFeed()).toBe(true);
  await post(teacher, task.at);
  expect(await isAnonymous(task, teacher)).toBe(false);
  expect(await inFeed()).toBe(false);
  const listed = async () => ok(await as(teacher).get(`${task.at}/submissions`)).map(({ user_id }: Body) => user_id);
  expect(await listed()).toEqual([student.id, student2.id]);
  const late = await ground.person({ name: 'Lena Late' });
  await ground.enroll(course, late, 'student');
  expect(await isAnonymous(task, teacher)).toBe(false);
  await handIn(task, late);
  expect(await isAnonymous(task, teacher)).toBe(true);
  expect(await inFeed()).toBe(true);
  expect(await listed()).toEqual([undefined, undefined, undefined]);
  await post(teacher, task.at);
  expect(await isAnonymous(task, teacher)).toBe(false);
  const work = ok(await as(teacher).post(`${task.at}/hide_grades`));
  await postGrades({ job: 'post_grades', progress_id: work.id }, platform);
  expect(await isAnonymous(task, teacher)).toBe(true);
});

test('lists of an anonymous assignment follow neither the ids nor the names of students', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  await manyStudents(40, course, 900_000, nth('Student '));
  const task = await aTask(scene);
  const students = Array.from({ length: 40 }, (_, at) => 900_001 + at).concat(scene.student.id, scene.student2.id);
  const byId = students.toSorted((a, b) => a - b).map((id) => idOf(task, { id }));
  for (const list of ['submissions', 'gradeable_students']) {
    const seen: string[] = [];
    for (let next: string | undefined = `${task.at}/${list}?per_page=20`; next; ) {
      const page: Answer = within(await as(teacher).get(next), 2);
      seen.push(...ok(page).map((one: Body) => one.anonymous_id));
      for (const one of ok(page)) {
        expect(one).not.toHaveProperty('user_id');
        expect(one).not.toHaveProperty('display_name');
      }
      next = page.links.next;
    }
    expect(seen.toSorted()).toEqual(byId.toSorted());
    const places = seen.map((one) => byId.indexOf(one));
    const rises = places.filter((place, at) => at > 0 && place > (places[at - 1] as number)).length;
    expect(rises, list).toBeGreaterThan(10);
    expect(rises, list).toBeLessThan(31);
  }
});

test('no request of a grader names an anonymous student', async () => {
  const { teacher, student, student2, course, ta, ...scene } = await aCourse(ground);
  const task = await aTask({ course, teacher });
  await handIn(task, student);
  const single = `${task.at}/submissions/${student.id}`;
  const section = `/sections/${course.section_id}/assignments/${task.id}/submissions/${student.id}`;
  for (const path of [single, section]) {
    ok(await as(ta).get(path), 401);
    ok(await as(ta).put(path, { submission: { posted_grade: 1 } }), 401);
    ok(await as(ta).put(`${path}/read`, {}), 401);
    ok(await as(ta).get(`${path}/rubric_assessments/read`), 401);
    ok(await as(ta).post(`${path}/comments/files`, { name: 'x.txt', size: 1 }), 401);
    ok(await as(ta).post(`${path}/files`, { name: 'x.txt', size: 1 }), 401);
  }
  const other = ok(await as(student).put(single, { comment: { text_comment: 'mine' } })).submission_comments[0];
  ok(await as(ta).del(`${single}/comments/${other.id}`), 401);
  ok(
    await as(ta).post(`${task.at}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'x', user_id: student.id } }),
    401,
  );
  const bulk = ok(await as(ta).post(`${task.at}/submissions/update_grades`, { grade_data: { [student.id]: { posted_grade: 1 } } }), 400);
  expect(JSON.stringify(bulk)).toContain(`grade_data[${student.id}]`);
  const real = ok(await as(student).get(single)).id;
  ok(await as(ta).get(`${task.at}/submissions/${real}/peer_reviews`), 404);
  for (const given of [real, student.id])
    ok(await as(ta).post(`${task.at}/submissions/${given}/peer_reviews`, { user_id: student2.id }), 401);
  ok(await as(ta).get(`/audit/grade_change/courses/${course.id}/assignments/${task.id}/students/${student.id}`), 401);
  const lists = { student_ids: ['all'], assignment_ids: [task.id] };
  for (const query of [lists, { ...lists, student_ids: [student.id] }, { student_ids: [student.id], grouped: true }])
    expect(JSON.stringify(ok(within(await as(ta).get(`/courses/${course.id}/students/submissions`, query), 2)))).not.toContain(`${real}`);
  // The student, the observer and account admins see the work as always.
  const admin = await ground.admin();
  for (const person of [student, scene.observer, admin])
    expect(ok(await as(person).get(single))).toMatchObject({ id: real, user_id: student.id });
  expect(ok(await as(admin).get(single)).anonymous_id).toBe(idOf(task, student));
  expect(ok(await as(admin).get(`${task.at}/submissions`)).map(({ user_id }: Body) => user_id)).toEqual([student.id, student2.id]);
});

test('a file with a comment is attached by the anonymous id, and files of students do not reveal who sent them', async () => {
  const { teacher, student, student2, course } = await aCourse(ground);
  const task = await aTask({ course, teacher }, { submission_types: ['online_upload'] });
  const file = await upload(student, `${task.at}/submissions/self/files`, { name: `${student.name}.txt` }, 'bytes');
  ok(await as(student).post(`${task.at}/submissions`, { submission: { submission_type: 'online_upload', file_ids: [file.id] } }), 201);
  const single = `${task.at}/anonymous_submissions/${idOf(task, student)}`;
  const remark = await upload(teacher, `${single}/comments/files`, { name: 'remarks.txt' });
  const bySection = single.replace(`/courses/${course.id}/`, `/sections/${course.section_id}/`);
  ok(await as(teacher).post(`${bySection}/comments/files`, { name: 'remarks.txt', size: 1 }));
  ok(await as(student).post(`${single}/comments/files`, { name: 'remarks.txt', size: 1 }), 401);
  const graded = ok(await as(teacher).put(single, { comment: { text_comment: 'see file', file_ids: [remark.id] } }));
  expect(graded.submission_comments).toMatchObject([{ author_id: teacher.id, attachments: [{ id: remark.id }] }]);
  const [seen] = graded.attachments;
  expect(seen).toMatchObject({ id: file.id, display_name: `file_${file.id}.txt`, filename: `file_${file.id}.txt`, folder_id: 0 });
  expect(JSON.stringify(seen)).not.toContain(student.name);
  const { search } = new URL(seen.url);
  const get = (path: string, person?: Person) =>
    SELF.fetch(`${base}${path}${search}`, person ? { headers: { Authorization: `Bearer ${person.token}` } } : {});
  for (const person of [undefined, teacher]) {
    const bytes = await get(`/files/${file.id}/download`, person);
    expect(bytes.status).toBe(200);
    expect(bytes.headers.get('content-disposition')).toContain(`file_${file.id}.txt`);
    expect(await bytes.text()).toBe('bytes');
  }
  expect((await get(`/files/${file.id}/download`, student)).headers.get('content-disposition')).toContain(encodeURIComponent(student.name));
  // The owner of a file cannot be found by trying.
  const statuses = await Promise.all(
    [student, student2].map(async ({ id }) => (await get(`/users/${id}/files/${file.id}/download`, teacher)).status),
  );
  expect(statuses[0]).toBe(statuses[1]);
  ok(await as(teacher).get(`/files/${file.id}`), 404);
  for (const rest of [`/files/${file.id}/create_success?uuid=${file.uuid}`, `/files/${file.id}/${file.uuid}/status`])
    expect(JSON.stringify((await as(teacher).get(rest)).body)).not.toContain(student.name);
  await post(teacher, task.at);
  expect(ok(await as(teacher).get(`/files/${file.id}`)).display_name).toBe(`${student.name}.txt`);
});

test('totals and analytics of a student do not change with anonymous work', async () => {
  const { teacher, student, course } = await aCourse(ground);
  const task = await aTask({ course, teacher });
  const read = async (person: Person) => {
    const [enrollment] = ok(await as(person).get(`/courses/${course.id}/enrollments`, { user_id: student.id }));
    const { submissions: _, ...totals } = ok(
      await as(person).get(`/courses/${course.id}/students/submissions`, {
        student_ids: [student.id],
        grouped: true,
        include: ['total_scores'],
      }),
    )[0];
    const work = ok(await as(person).get(`/courses/${course.id}/analytics/users/${student.id}/assignments`));
    const [summary] = ok(await as(person).get(`/courses/${course.id}/analytics/student_summaries`, { student_id: student.id }));
    return JSON.stringify([enrollment.grades, totals, work, summary]);
  };
  const before = await read(teacher);
  await handIn(task, student);
  ok(await gradeOf(task, teacher, student, '7'));
  expect(await read(teacher)).toBe(before);
  ok(await as(teacher).put(`${task.at}/anonymous_submissions/${idOf(task, student)}`, { submission: { excuse: true } }));
  expect(await read(teacher)).toBe(before);
  ok(await gradeOf(task, teacher, student, '7'));
  await post(teacher, task.at);
  const after = await read(teacher);
  expect(after).toContain('"unposted_current_score":70');
  expect(after).not.toBe(before);
});

test('students are selected for moderation and graded provisionally by anonymous id', async () => {
  const { teacher, ta, student, student2, course } = await aCourse(ground);
  const task = await aTask({ course, teacher }, { moderated_grading: true, grader_count: 1, final_grader_id: teacher.id });
  await handIn(task, student);
  const anonymous_id = idOf(task, student);
  const single = `${task.at}/anonymous_submissions/${anonymous_id}?include[]=provisional_grades`;
  ok(await as(ta).get(`${task.at}/provisional_grades/status?student_id=${student.id}`), 401);
  expect(ok(await as(ta).get(`${task.at}/anonymous_provisional_grades/status?anonymous_id=${anonymous_id}`)).needs_provisional_grade).toBe(
    true,
  );
  const [provisional] = ok(await as(ta).put(single, { submission: { posted_grade: 8, provisional: true } })).provisional_grades;
  expect(provisional.speedgrader_url).toContain(`anonymous_id=${anonymous_id}`);
  expect(provisional.graded_anonymously).toBe(true);
  const set = `${task.at}/moderated_students`;
  expect(JSON.stringify(ok(await as(teacher).post(set, { student_ids: [student.id] }), 400))).toContain('student_ids');
  ok(await as(teacher).post(set, { anonymous_ids: [idOf(task, teacher)] }), 400);
  ok(await as(teacher).post(set, { anonymous_ids: ['zzzzz'] }), 404);
  const ids = [anonymous_id, idOf(task, student2)];
  expect(new Set(ok(within(await as(teacher).post(set, { anonymous_ids: ids }), 3)).map(({ anonymous_id: id }: Body) => id))).toEqual(
    new Set(ids),
  );
  const listed = ok(within(await as(teacher).get(set), 2));
  expect(listed.map((one: Body) => Object.keys(one))).toEqual([['anonymous_id'], ['anonymous_id']]);
  expect(ok(await as(teacher).put(`${task.at}/provisional_grades/${provisional.provisional_grade_id}/select`, {}))).toEqual({
    assignment_id: task.id,
    anonymous_id,
    selected_provisional_grade_id: provisional.provisional_grade_id,
  });
  const found = ok(await as(teacher).get(`${task.at}/gradeable_students?include[]=provisional_grades`));
  expect(found).toContainEqual(expect.objectContaining({ anonymous_id, in_moderation_set: true }));
  expect(JSON.stringify(found)).not.toContain(student.name);
  ok(await as(teacher).post(`${task.at}/provisional_grades/publish`));
  await post(teacher, task.at);
  expect(ok(await as(student).get(`${task.at}/submissions/${student.id}`)).score).toBe(8);
});
