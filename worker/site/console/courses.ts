// Courses of an account: search, view, conclude and restore.

import { askAll, getJson, Refusal, sendRequest } from './api';
import { peopleOfCourse } from './course_people';
import { type Child, h } from './dom';
import { finder } from './finder';
import { newCourse } from './new_course';
import { amount, blank, button, confirmed, factList, listing, pause, showStatus, tag, timeElement } from './parts';
import { type ScreenContext, screenHref } from './place';

interface Course {
  readonly id: number;
  readonly name: string;
  readonly course_code: string;
  readonly sis_course_id?: string | null;
  readonly workflow_state: string;
  readonly account_id: number;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly created_at: string;
  readonly total_students?: number;
  readonly concluded?: boolean;
  readonly term?: { readonly name: string };
  readonly teachers?: readonly { readonly id: number; readonly display_name: string }[];
}

const states = [
  ['', 'All except deleted'],
  ['available', 'Published'],
  ['unpublished', 'Unpublished'],
  ['completed', 'Concluded'],
  ['deleted', 'Deleted'],
] as const;

const stateTag = (state: string) =>
  state === 'available'
    ? tag('Published', 'good')
    : state === 'completed'
      ? tag('Concluded')
      : state === 'deleted'
        ? tag('Deleted', 'bad')
        : tag('Unpublished', 'busy');

interface Work {
  readonly id: number;
  readonly workflow_state: string;
  readonly message: string | null;
}

/** Runs in the background; waits until it is done. */
async function change(account: number, id: number, event: string): Promise<void> {
  let work = await sendRequest<Work>('PUT', `/accounts/${account}/courses`, { course_ids: [id], event });
  for (let tries = 0; tries < 60 && /queued|running/.test(work.workflow_state); tries += 1) {
    await pause(500);
    work = await getJson<Work>(`/progress/${work.id}`);
  }
  if (work.workflow_state !== 'completed') throw new Refusal(0, work.message ?? 'This takes longer than usual. See Jobs for its progress.');
}

/** The available actions in the course's state. */
function acts({ account, rights }: ScreenContext, { id, name, workflow_state }: Course, after: () => void): Child {
  const does = (label: string, title: string, words: string, kind: string, work: () => Promise<unknown>, said: string) =>
    button(
      label,
      () =>
        confirmed(title, words, label, async () => {
          await work();
          showStatus(said);
          after();
        }),
      { kind, name: `${label} ${name}` },
    );
  if (workflow_state === 'deleted')
    return (
      rights.undelete_courses &&
      does(
        'Restore',
        `Restore ${name}?`,
        'The course is restored with its content, unpublished.',
        'plain',
        () => change(account.id, id, 'undelete'),
        `Restored ${name}`,
      )
    );
  return [
    workflow_state !== 'available' &&
      rights.manage_courses_publish &&
      does(
        workflow_state === 'completed' ? 'Reopen' : 'Publish',
        `${workflow_state === 'completed' ? 'Reopen' : 'Publish'} ${name}?`,
        'Students can access it again within its dates.',
        'plain',
        () => change(account.id, id, 'offer'),
        `${name} is published`,
      ),
    workflow_state === 'available' &&
      rights.manage_courses_conclude &&
      does(
        'Conclude',
        `Conclude ${name}?`,
        'The course becomes read-only. It can be reopened.',
        'plain',
        () => sendRequest('DELETE', `/courses/${id}`, { event: 'conclude' }),
        `Concluded ${name}`,
      ),
    rights.manage_courses_delete &&
      does(
        'Delete',
        `Delete ${name}?`,
        'The course is hidden from everyone. It can be restored from the deleted courses.',
        'plain danger',
        () => sendRequest('DELETE', `/courses/${id}`, { event: 'delete' }),
        `Deleted ${name}`,
      ),
  ];
}

export const coursesScreen = (place: ScreenContext): Promise<Child> => {
  const { account, query, signal } = place;
  return finder(place, {
    label: 'Find courses',
    placeholder: 'Name, code or SIS id',
    beside: place.rights.manage_courses_add && button('New course', () => newCourse(place), { kind: 'main' }),
    narrowedLabel: 'State',
    narrowed: (look) =>
      h(
        'select',
        { id: 'state', onchange: look },
        states.map(([value, label]) => h('option', { value, selected: value === query.get('state') }, label)),
      ),
    find: (term, state, again) => {
      const wanted = state === 'unpublished' ? ['created', 'claimed'] : state ? [state] : [];
      const given = new URLSearchParams([
        ...(term ? [['search_term', term]] : []),
        ...wanted.map((one) => ['state[]', one]),
        ...['term', 'total_students'].map((one) => ['include[]', one]),
        ['sort', 'course_name'],
        ['per_page', '25'],
      ]);
      return listing<Course>(`/accounts/${account.id}/courses?${given}`, {
        label: 'Courses',
        heads: ['Name', 'Code', 'SIS id', 'Term', 'Students', 'State', ''],
        row: (course) =>
          h(
            'tr',
            {},
            h(
              'th',
              { scope: 'row' },
              course.workflow_state === 'deleted'
                ? course.name
                : h('a', { href: screenHref(account.id, 'courses', course.id) }, course.name),
            ),
            h('td', {}, course.course_code),
            h('td', { class: 'code' }, course.sis_course_id),
            h('td', {}, course.term?.name),
            h('td', { class: 'number' }, course.total_students === undefined ? '' : amount(course.total_students)),
            h('td', {}, stateTag(course.workflow_state)),
            h('td', { class: 'acts' }, acts(place, course, again)),
          ),
        empty: () =>
          term || state
            ? blank('No courses found', 'Try a shorter search term or another state.')
            : blank('No courses yet', 'Create one, or import many from your student information system.'),
        signal,
      });
    },
  });
};

export async function courseScreen(place: ScreenContext): Promise<Child> {
  const { account, rest, signal, entitle } = place;
  const [found, sections] = await Promise.all([
    getJson<Course>(`/courses/${rest[0]}?include[]=term&include[]=total_students&include[]=teachers`, signal),
    askAll<{ readonly id: number; readonly name: string; readonly sis_section_id?: string | null }>(
      `/courses/${rest[0]}/sections?per_page=100`,
      signal,
      1,
    ).catch(() => []),
  ]);
  entitle(found.name);
  const away = () => {
    location.hash = screenHref(account.id, 'courses');
  };
  return [
    h('p', { class: 'back' }, h('a', { href: screenHref(account.id, 'courses') }, '← Courses')),
    factList(
      ['Code', found.course_code],
      ['State', stateTag(found.workflow_state)],
      ['Term', found.term?.name],
      ['SIS id', found.sis_course_id && h('span', { class: 'code' }, found.sis_course_id)],
      ['Id', h('span', { class: 'code' }, found.id)],
      ['Students', found.total_students === undefined ? undefined : amount(found.total_students)],
      ['Starts', found.start_at && timeElement(found.start_at)],
      ['Ends', found.end_at && timeElement(found.end_at)],
      ['Created', timeElement(found.created_at)],
      [
        'Teachers',
        found.teachers?.length
          ? found.teachers.map((one, at) => [at > 0 && ', ', h('a', { href: screenHref(account.id, 'people', one.id) }, one.display_name)])
          : undefined,
      ],
      ['Sections', sections.length ? sections.map(({ name }) => name).join(', ') : undefined],
    ),
    h('div', { class: 'row' }, acts(place, found, away)),
    peopleOfCourse(place, found.id, Boolean(place.rights.add_student_to_course && place.rights.remove_student_from_course)),
  ];
}
