// The demo's content of one course, created over the API by its users.

import type { Client } from '../client';
import type { BuiltCourse, Person } from '../ground';
import { uploadInThreeSteps } from '../three_steps';
import { type CourseContent, contents } from './content';
import { picture } from './documents';
import { documents } from './files';
import { keepGradebook } from './gradebook';
import { gradedCourse } from './gradebook_content';
import type { DemoPeople } from './people';
import { keepQuizzes } from './quizzes';
import { quizzedCourse } from './quizzes_content';
import { dueIn, must, onDay } from './requests';

type Assignment = CourseContent['assignments'][number];

/** What the steps of one course share. */
interface Furnishing {
  readonly as: (person: Person) => Client;
  readonly teacher: Client;
  readonly people: DemoPeople;
  readonly course: BuiltCourse;
  readonly content: CourseContent;
  /** The address of the course. */
  readonly at: string;
  readonly now: number;
  /** What a module links to, by title. */
  readonly found: Map<string, { id?: number; page_url?: string }>;
}

export async function furnishCourse(
  as: (person: Person) => Client,
  people: DemoPeople,
  course: BuiltCourse,
  content: CourseContent,
  now: number,
) {
  const all: Furnishing = { as, teacher: as(people.teacher), people, course, content, at: `/courses/${course.id}`, now, found: new Map() };
  await addPages(all, await addDocuments(all));
  await addAssignments(all);
  await addAnnouncements(all);
  await addDiscussions(all);
  await addModules(all);
  await addSeminars(all);
  if (content.course_code === gradedCourse)
    await keepGradebook(as, people, course, now, all.found.get('Archive visit reflection')?.id ?? 0);
  if (content.course_code === quizzedCourse) await keepQuizzes(as, people, course, now);
}

/** @returns the ids of the files by name */
async function addDocuments({ teacher, content, at }: Furnishing): Promise<ReadonlyMap<string, number>> {
  const filed = new Map<string, number>();
  for (const [folder, name, content_type, make] of documents[content.course_code] ?? []) {
    const file = await uploadInThreeSteps(teacher, (url, init) => fetch(url, init), `${at}/files`, {
      name,
      content_type,
      bytes: await make(),
      parent_folder_path: folder || '/',
    });
    filed.set(name, file.id);
  }
  return filed;
}

async function addPages({ teacher, course, content, at, found }: Furnishing, filed: ReadonlyMap<string, number>): Promise<void> {
  for (const page of content.pages) {
    const image = page.picture
      ? await uploadInThreeSteps(teacher, (url, init) => fetch(url, init), `${at}/files`, {
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
}

async function addAssignments({ as, teacher, people, content, at, now, found }: Furnishing): Promise<void> {
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
    if (content.course_code === gradedCourse) continue;
    if (assignment.due !== undefined && assignment.due < 0 && assignment.types.includes('online_text_entry'))
      await handIn(as, people, at, made.id, assignment);
  }
}

async function addAnnouncements({ as, teacher, people, content, at, now }: Furnishing): Promise<void> {
  for (const { title, message, since, isRead } of content.announcements) {
    const delayed_post_at = onDay(-since, 8, now);
    const made = must(
      await teacher.post(`${at}/discussion_topics`, { title, message, delayed_post_at, is_announcement: true, published: true }),
      title,
    );
    if (isRead) must(await as(people.student).put(`${at}/discussion_topics/${made.id}/read`), `reading ${title}`);
  }
}

async function addDiscussions({ as, teacher, people, content, at, found }: Furnishing): Promise<void> {
  const voices = [people.student2, people.others[0], people.ta] as Person[];
  for (const { title, message, entries } of content.discussions) {
    const topic = must(
      await teacher.post(`${at}/discussion_topics`, { title, message, published: true, discussion_type: 'threaded' }),
      title,
    );
    found.set(title, { id: topic.id });
    for (const [turn, entry] of entries.entries())
      must(
        await as(voices[turn % voices.length] as Person).post(`${at}/discussion_topics/${topic.id}/entries`, {
          message: `<p>${entry}</p>`,
        }),
        'an entry',
      );
  }
}

type Item = CourseContent['modules'][number]['items'][number];

const itemOf = ([type, title, requirement]: Item, found: Furnishing['found']) => {
  const { page_url, id } = found.get(title) ?? {};
  return {
    type,
    title,
    ...(page_url && { page_url }),
    ...(id && { content_id: id }),
    ...(type === 'ExternalUrl' && { external_url: 'https://stellarium-web.org/' }),
    ...(requirement && { completion_requirement: { type: requirement } }),
  };
};

/** Each module requires the one before it. */
async function addModules({ as, teacher, people, content, at, found }: Furnishing): Promise<void> {
  let before: number | undefined;
  const places = new Map<string, string>();
  for (const { name, items } of content.modules) {
    const module = must(
      await teacher.post(`${at}/modules`, { module: { name, ...(before && { prerequisite_module_ids: [before] }) } }),
      name,
    );
    for (const one of items) {
      const [, title] = one;
      const item = must(await teacher.post(`${at}/modules/${module.id}/items`, { module_item: itemOf(one, found) }), title);
      places.set(title, `${at}/modules/${module.id}/items/${item.id}`);
    }
    must(await teacher.put(`${at}/modules/${module.id}`, { module: { published: true } }), `publish ${name}`);
    before = module.id;
  }
  for (const title of content.viewed ?? []) must(await as(people.student).post(`${places.get(title)}/mark_read`), `viewing ${title}`);
}

async function addSeminars({ teacher, course, content, now }: Furnishing): Promise<void> {
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

async function handIn(as: (person: Person) => Client, people: DemoPeople, at: string, assignment: number, { points, mine }: Assignment) {
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
