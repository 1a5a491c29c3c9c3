// The demo, Whitmore University: users and courses are inserted into the database, everything else is created over the API by its users.

import { type Answer, type Client, clientOf } from '../client';
import type { BuiltCourse, Ground, Person } from '../ground';
import { upload } from '../three_steps';
import { type CourseContent, contents } from './content';
import { picture } from './documents';
import { documents } from './files';
import { type People, populate } from './people';

type Assignment = CourseContent['assignments'][number];

export interface Prepared {
  readonly people: People;
  readonly courses: readonly BuiltCourse[];
}

const day = 86_400_000;
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
/** An hour of the day this many days from today. */
const onDay = (days: number, hour: number, now: number) =>
  `${new Date(now + days * day).toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:15:00Z`;
/** The last minute of the day this many days from today. */
const dueIn = (days: number, now: number) => `${new Date(now + days * day).toISOString().slice(0, 10)}T23:59:59Z`;

/** Users, accounts, terms, courses and enrollments: inserted into the database. */
export async function prepare(ground: Ground, now: number): Promise<Prepared> {
  await ground.nameInstitution('Whitmore University');
  const people = await populate(ground);
  const sciences = await ground.account({ name: 'Faculty of Science', sis_account_id: 'SCI' });
  const arts = await ground.account({ name: 'Faculty of Arts', sis_account_id: 'ARTS' });
  const physics = await ground.account({ name: 'Physics', parent_account_id: sciences.id, sis_account_id: 'SCI-PHY' });
  const autumn = await ground.term({
    name: 'Autumn term',
    start_at: iso(now - 70 * day),
    end_at: iso(now + 60 * day),
    sis_term_id: 'AUTUMN',
  });
  await ground.term({ name: 'Spring term', start_at: iso(now + 70 * day), end_at: iso(now + 200 * day), sis_term_id: 'SPRING' });
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
    for (const student of [people.student, people.student2, ...people.others]) await ground.enroll(course, student, 'student');
    await ground.enroll(course, people.observer, 'observer', { observes: people.student });
    courses.push(course);
  }
  return { people, courses };
}

/** The response body; a failed request aborts with its reason. */
function must(answer: Answer, what: string): Answer['body'] {
  if (answer.status >= 300) throw new Error(`the demo: ${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Everything that users have written and uploaded, over the API. */
export async function furnish({ people, courses }: Prepared, base: string, now: number): Promise<void> {
  const send = (url: string, init: RequestInit) => fetch(url, init);
  const as = (person: Person) => clientOf(send, base, person.token);
  for (const [at, content] of contents.entries()) await furnishCourse(as, people, courses[at] as BuiltCourse, content, now);
  await correspond(as, people, courses[0] as BuiltCourse);
  await planAhead(as(people.student), courses, now);
  must(
    await as(people.admin).post('/accounts/1/account_notifications', {
      account_notification: {
        subject: 'The main library is shut on Saturday',
        message: '<p>The heating is being mended. The <a href="https://whitmore.example/hours">branch libraries</a> stay open.</p>',
        icon: 'warning',
        start_at: iso(now - day),
        end_at: iso(now + 3 * day),
      },
    }),
    'announcement',
  );
}

async function furnishCourse(as: (person: Person) => Client, people: People, course: BuiltCourse, content: CourseContent, now: number) {
  const teacher = as(people.teacher);
  const at = `/courses/${course.id}`;
  const filed = new Map<string, number>();
  for (const [folder, name, content_type, make] of documents[content.course_code] ?? []) {
    const file = await upload(teacher, (url, init) => fetch(url, init), `${at}/files`, {
      name,
      content_type,
      bytes: await make(),
      parent_folder_path: folder || '/',
    });
    filed.set(name, file.id);
  }

  const found = new Map<string, { id?: number; page_url?: string }>();
  for (const page of content.pages) {
    const image = page.picture
      ? await upload(teacher, (url, init) => fetch(url, init), `${at}/files`, {
          name: `figure ${page.picture}.png`,
          content_type: 'image/png',
          bytes: picture(page.picture),
          parent_folder_path: 'Images',
        })
      : undefined;
    const figure = image
      ? `<p><img src="/courses/${course.id}/files/${image.id}/preview" alt="Hills under a starry sky" width="640" height="360" data-api-endpoint="${apiAddress(image.url)}" data-api-returntype="File"></p>`
      : '';
    const body = page.body.replace(/href="file:([^"]+)"/g, (_, name) => `href="/courses/${course.id}/files/${filed.get(name)}"`);
    const made = must(
      await teacher.post(`${at}/pages`, { wiki_page: { title: page.title, body: figure + body, published: true } }),
      page.title,
    );
    found.set(page.title, { page_url: made.url });
  }
  const first = content.pages[0];
  if (first) must(await teacher.put(`${at}/pages/${found.get(first.title)?.page_url}`, { wiki_page: { front_page: true } }), 'front page');

  const groups = new Map<string, number>();
  for (const assignment of content.assignments) {
    if (!groups.has(assignment.group))
      groups.set(assignment.group, must(await teacher.post(`${at}/assignment_groups`, { name: assignment.group }), assignment.group).id);
    const made = must(
      await teacher.post(`${at}/assignments`, {
        assignment: {
          name: assignment.name,
          description: assignment.description,
          points_possible: assignment.points,
          submission_types: assignment.types,
          assignment_group_id: groups.get(assignment.group),
          published: true,
          ...(assignment.due !== undefined && { due_at: dueIn(assignment.due, now) }),
        },
      }),
      assignment.name,
    );
    found.set(assignment.name, { id: made.id });
    if (assignment.due !== undefined && assignment.due < 0 && assignment.types.includes('online_text_entry'))
      await handIn(as, people, at, made.id, assignment);
  }
  for (const { title, message, since, isRead } of content.announcements) {
    const delayed_post_at = onDay(-since, 8, now);
    const made = must(
      await teacher.post(`${at}/discussion_topics`, { title, message, delayed_post_at, is_announcement: true, published: true }),
      title,
    );
    if (isRead) must(await as(people.student).put(`${at}/discussion_topics/${made.id}/read`), `reading ${title}`);
  }
  for (const { title, message, entries } of content.discussions) {
    const topic = must(
      await teacher.post(`${at}/discussion_topics`, { title, message, published: true, discussion_type: 'threaded' }),
      title,
    );
    found.set(title, { id: topic.id });
    const voices = [people.student2, people.others[0], people.ta] as Person[];
    for (const [turn, entry] of entries.entries())
      must(
        await as(voices[turn % voices.length] as Person).post(`${at}/discussion_topics/${topic.id}/entries`, {
          message: `<p>${entry}</p>`,
        }),
        'an entry',
      );
  }
  let before: number | undefined;
  const places = new Map<string, string>();
  for (const { name, items } of content.modules) {
    const module = must(
      await teacher.post(`${at}/modules`, { module: { name, ...(before && { prerequisite_module_ids: [before] }) } }),
      name,
    );
    for (const [type, title, requirement] of items) {
      const target = found.get(title);
      const item = must(
        await teacher.post(`${at}/modules/${module.id}/items`, {
          module_item: {
            type,
            title,
            ...(target?.page_url && { page_url: target.page_url }),
            ...(target?.id && { content_id: target.id }),
            ...(type === 'ExternalUrl' && { external_url: 'https://stellarium-web.org/' }),
            ...(requirement && { completion_requirement: { type: requirement } }),
          },
        }),
        title,
      );
      places.set(title, `${at}/modules/${module.id}/items/${item.id}`);
    }
    must(await teacher.put(`${at}/modules/${module.id}`, { module: { published: true } }), `publish ${name}`);
    before = module.id;
  }
  for (const title of content.viewed ?? []) must(await as(people.student).post(`${places.get(title)}/mark_read`), `viewing ${title}`);
  const turn = contents.indexOf(content);
  for (const days of [turn, turn + 7])
    must(
      await teacher.post('/calendar_events', {
        calendar_event: {
          context_code: `course_${course.id}`,
          title: `${content.course_code} seminar`,
          start_at: onDay(days, 9 + turn, now),
          end_at: onDay(days, 11 + turn, now),
          location_name: `Hall ${turn + 1}`,
        },
      }),
      'a seminar',
    );
}

const apiAddress = (url: string) => url.replace(/\/download.*$/, '').replace('/files/', '/api/v1/files/');

async function handIn(as: (person: Person) => Client, people: People, at: string, assignment: number, { points, mine }: Assignment) {
  const body = '<p>Please find my notes below. I started late and learned that clouds have no deadline.</p>';
  const diligent = mine === undefined ? [] : [people.student];
  for (const student of [...diligent, people.student2, ...people.others.slice(0, 6)])
    must(
      await as(student).post(`${at}/assignments/${assignment}/submissions`, { submission: { submission_type: 'online_text_entry', body } }),
      'a submission',
    );
  for (const [turn, student] of [...diligent, ...people.others.slice(0, 4)].entries())
    must(
      await as(people.teacher).put(`${at}/assignments/${assignment}/submissions/${student.id}`, {
        submission: {
          posted_grade: String(student === people.student ? mine : Math.max(0, points - turn)),
          // Every demo submission is made today, whatever its due date.
          late_policy_status: 'none',
        },
        comment: { text_comment: 'Carefully observed. Say more about what you expected.' },
      }),
      'a grade',
    );
}

async function correspond(as: (person: Person) => Client, people: People, course: BuiltCourse) {
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
