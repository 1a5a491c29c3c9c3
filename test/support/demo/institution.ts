// The demo, Whitmore University: users and courses are inserted into the database, everything else is created over the API by its users.

import { type Client, clientOf } from '../client';
import type { BuiltCourse, Ground, Person } from '../ground';
import { contents } from './content';
import { furnishCourse } from './furnish_course';
import { gradedCourse } from './gradebook_content';
import { type DemoPeople, populate } from './people';
import { dayMs, iso, must, onDay } from './requests';

export interface Prepared {
  readonly people: DemoPeople;
  readonly courses: readonly BuiltCourse[];
  /** The term of the courses. */
  readonly term_id: number;
}

/** Users, accounts, terms, courses and enrollments: inserted into the database. */
export async function prepare(ground: Ground, now: number): Promise<Prepared> {
  await ground.nameInstitution('Whitmore University');
  const people = await populate(ground);
  const sciences = await ground.account({ name: 'Faculty of Science', sis_account_id: 'SCI' });
  const arts = await ground.account({ name: 'Faculty of Arts', sis_account_id: 'ARTS' });
  const physics = await ground.account({ name: 'Physics', parent_account_id: sciences.id, sis_account_id: 'SCI-PHY' });
  const autumn = await ground.term({
    name: 'Autumn term',
    start_at: iso(now - 70 * dayMs),
    end_at: iso(now + 60 * dayMs),
    sis_term_id: 'AUTUMN',
  });
  await ground.term({ name: 'Spring term', start_at: iso(now + 70 * dayMs), end_at: iso(now + 200 * dayMs), sis_term_id: 'SPRING' });
  const accounts = [physics.id, sciences.id, arts.id, arts.id];
  const courses: BuiltCourse[] = [];
  for (const [at, content] of contents.entries()) {
    const course = await ground.course({
      name: content.name,
      course_code: content.course_code,
      syllabus_body: content.syllabus,
      account_id: accounts[at],
      enrollment_term_id: autumn.id,
      time_zone: 'Europe/Berlin',
    });
    await ground.enroll(course, people.teacher, 'teacher');
    await ground.enroll(course, people.ta, 'ta');
    if (content.course_code === gradedCourse) await ground.enroll(course, people.colleague, 'teacher');
    for (const student of [people.student, people.student2, ...people.others]) await ground.enroll(course, student, 'student');
    await ground.enroll(course, people.observer, 'observer', { observes: people.student });
    // The second student is observed in half of the courses.
    if (at % 2 === 0) await ground.enroll(course, people.observer, 'observer', { observes: people.student2 });
    courses.push(course);
  }
  return { people, courses, term_id: autumn.id };
}

/** Everything that users have written and uploaded, over the API. */
export async function furnish({ people, courses, term_id }: Prepared, base: string, now: number): Promise<void> {
  const send = (url: string, init: RequestInit) => fetch(url, init);
  const as = (person: Person) => clientOf(send, base, person.token);
  await divideTerm(as(people.admin), term_id, now);
  for (const [at, content] of contents.entries()) await furnishCourse(as, people, courses[at] as BuiltCourse, content, now);
  await correspond(as, people, courses[0] as BuiltCourse);
  await planAhead(as(people.student), courses, now);
  must(
    await as(people.admin).post('/accounts/1/account_notifications', {
      account_notification: {
        subject: 'The main library is shut on Saturday',
        message: '<p>The heating is being mended. The <a href="https://whitmore.example/hours">branch libraries</a> stay open.</p>',
        icon: 'warning',
        start_at: iso(now - dayMs),
        end_at: iso(now + 3 * dayMs),
      },
    }),
    'announcement',
  );
}

/** Two grading periods; the first one is over, and its grades can still change. */
async function divideTerm(admin: Client, term_id: number, now: number) {
  const { grading_period_set: set } = must(
    await admin.post('/accounts/1/grading_period_sets', {
      grading_period_set: { title: 'Autumn term', display_totals_for_all_grading_periods: true },
      enrollment_term_ids: [term_id],
    }),
    'a set of grading periods',
  );
  const [start, middle, end] = [-70, -14, 60].map((days) => iso(now + days * dayMs)) as [string, string, string];
  const grading_periods = [
    { title: 'First half', start_date: start, end_date: middle, close_date: iso(now + 14 * dayMs), weight: 50 },
    { title: 'Second half', start_date: middle, end_date: end, close_date: end, weight: 50 },
  ];
  must(
    await admin.patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, { set_id: set.id, grading_periods }, { json: true }),
    'grading periods',
  );
}

async function correspond(as: (person: Person) => Client, people: DemoPeople, course: BuiltCourse) {
  const [thread] = must(
    await as(people.student).post('/conversations', {
      recipients: [people.teacher.id],
      subject: 'A question about the essay',
      body: 'May I write about Pluto, or is that too obvious?',
      context_code: `course_${course.id}`,
    }),
    'a conversation',
  );
  must(
    await as(people.teacher).post(`/conversations/${thread.id}/add_message`, {
      body: 'Write about Pluto, but find an argument that I have not read yet.',
    }),
    'a reply',
  );
  must(
    await as(people.ta).post('/conversations', {
      recipients: [people.student.id, people.student2.id],
      group_conversation: true,
      subject: 'Your lab group',
      body: 'You two share bench four. Who brings the red torch?',
      context_code: `course_${course.id}`,
    }),
    'a group conversation',
  );
}

async function planAhead(student: Client, courses: readonly BuiltCourse[], now: number) {
  const notes = [
    ['Outline the planet essay', 'Three arguments, one page.', 1, courses[0]],
    ['Buy a red torch', null, 0, undefined],
    ['Kanji 41–60', 'Ten minutes, morning and evening.', 3, courses[2]],
  ] as const;
  for (const [title, details, days, course] of notes)
    must(
      await student.post('/planner_notes', {
        title,
        ...(details && { details }),
        todo_date: onDay(days, 19, now),
        ...(course && { course_id: course.id }),
      }),
      title,
    );
}
