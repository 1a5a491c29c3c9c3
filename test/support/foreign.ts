// Ids of things that a caller may not read, put into every parameter that takes ids, and what must not come of it.

import { env, SELF } from 'cloudflare:test';
import type { Kind } from '@carrel/shared/wire/fields';
import { calendarChanges } from '@carrel/worker/domains/account_calendars/routes';
import { bulkDates } from '@carrel/worker/domains/date_details/bulk';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { base, ground } from './api';
import { endpoints, fill, namesIn } from './every_endpoint';
import { aFullScene, type FullScene, words } from './full_scene';
import { bodiesOf, type Dice } from './garbage';
import type { Person } from './ground';
import { knownIn } from './hostile';
import { anyKey, inList, nameOf, type Param, paramsOf } from './id_params';

export type Actor = 'student' | 'ta' | 'sectionTa' | 'facultyAdmin';
type Value = string | number;
type Values = Partial<Record<Kind, readonly Value[]>>;

/** What is in the names of everything in the scene that no actor has a part in. */
const mark = 'FOREIGN';

/** Kinds that everyone in the institution may name. */
const common: ReadonlySet<Kind> = new Set(['login_provider', 'term']);

/** Bodies that an endpoint reads by itself, because they are lists. */
const lists: Readonly<Record<string, Endpoint['options']['params']>> = {
  'PUT /courses/:course_id/assignments/bulk_update': bulkDates,
  'PUT /accounts/:account_id/account_calendars': calendarChanges,
};

export const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const fieldsOf = (endpoint: Endpoint) => lists[titleOf(endpoint)] ?? endpoint.options.params ?? {};

/** What deletes comes last: the others are to find the scene whole. */
export const writes = endpoints
  .filter(({ method }) => method !== 'GET')
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

/** What someone without any part in a scene may not read of it. */
const everythingIn = ({ ids, branch, course, student }: FullScene): Values => ({
  account: [branch.id],
  assignment: [ids.assignment],
  assignment_group: [ids.assignment_group],
  assignment_override: [ids.override],
  content: [ids.assignment],
  context: [`course_${course.id}`, `group_${ids.group}`, `user_${student.id}`],
  conversation: [ids.conversation],
  course: [course.id],
  discussion_topic: [ids.topic],
  file: [ids.file, ids.ownFile],
  folder: [ids.folder],
  group: [ids.group],
  group_category: [ids.groupCategory],
  module: [ids.module],
  participant: [student.id],
  recipient: [student.id, `course_${course.id}`],
  role: [ids.role],
  section: [course.section_id],
  submission: [ids.submission],
  user: [student.id],
});

/** What is kept from each actor in their own course. */
const hiddenIn = ({ ids, course, student, student2, section2 }: FullScene): Record<Actor, Values> => ({
  student: {
    assignment: [ids.hiddenAssignment],
    content: [ids.hiddenAssignment],
    context: [`user_${student2.id}`, `group_${ids.otherGroup}`, `course_${ids.unpublishedCourse}`],
    conversation: [ids.othersConversation],
    course: [ids.unpublishedCourse],
    discussion_topic: [ids.hiddenTopic],
    file: [ids.othersFile, ids.hiddenFile, ids.otherFile],
    folder: [ids.othersFolder, ids.hiddenFolder, ids.otherFolder],
    group: [ids.otherGroup],
    module: [ids.hiddenModule],
    section: [section2],
    submission: [ids.othersSubmission],
    user: [student2.id],
  },
  ta: { context: [`user_${student.id}`], conversation: [ids.conversation], file: [ids.othersFile], folder: [ids.othersFolder] },
  sectionTa: {
    context: [`user_${student.id}`],
    conversation: [ids.conversation],
    file: [ids.othersFile],
    section: [course.section_id],
    submission: [ids.othersSubmission],
    user: [student2.id],
  },
  facultyAdmin: { account: [1], conversation: [ids.conversation], file: [ids.othersFile], folder: [ids.othersFolder] },
});

const { unpublished, work, own, locked } = words;
const forbidden: Record<Actor, readonly string[]> = {
  student: [unpublished, work, own, locked],
  // Has received the letter that is private to others.
  ta: [],
  sectionTa: [work],
  facultyAdmin: [own],
};

/** Columns by which the scene's names are found, to mark them. */
const named: Readonly<Record<string, readonly [column: string, where: string]>> = {
  accounts: ['name', 'id = $account'],
  assignments: ['name', 'course_id = $course'],
  courses: ['name', 'id = $course'],
  discussion_topics: ['title', "context_type = 'Course' and context_id = $course"],
  files: ['display_name', "context_type = 'Course' and context_id = $course or id = $file"],
  folders: ['name', "context_type = 'Course' and context_id = $course and parent_folder_id is not null"],
  groups: ['name', "context_type = 'Course' and context_id = $course"],
  group_categories: ['name', "context_type = 'Course' and context_id = $course"],
  modules: ['name', 'course_id = $course'],
  roles: ['name', 'account_id = $account'],
  sections: ['name', 'course_id = $course'],
};

async function markNames({ branch, course, student, ids }: FullScene): Promise<void> {
  const filled = (where: string) =>
    where.replaceAll('$course', String(course.id)).replaceAll('$account', String(branch.id)).replaceAll('$file', String(ids.ownFile));
  const statements = Object.entries(named).map(([table, [column, where]]) =>
    env.DB.prepare(`update ${table} set ${column} = '${mark} ' || ${column} where ${filled(where)}`),
  );
  const people = env.DB.prepare(
    `update users set name = '${mark} ' || name, short_name = '${mark} ' || short_name, sortable_name = '${mark} ' || sortable_name where id = ?`,
  ).bind(student.id);
  await env.DB.batch([...statements, people]);
}

/** Rows that must stay as they are, by the kind of what was named. `?` is its id. */
const rowsOf: Partial<Record<Kind, readonly string[]>> = {
  account: [
    'select * from accounts where id = ?',
    'select * from admins where account_id = ?',
    'select * from courses where account_id = ?',
  ],
  assignment: ['select * from assignments where id = ?', 'select * from assignment_overrides where assignment_id = ?'],
  assignment_group: ['select * from assignment_groups where id = ?', 'select id from assignments where assignment_group_id = ?'],
  assignment_override: ['select * from assignment_overrides where id = ?'],
  content: ['select * from assignments where id = ?'],
  conversation: [
    'select * from conversation_messages where conversation_id = ?',
    'select * from conversation_participants where conversation_id = ?',
  ],
  course: [
    'select * from courses where id = ?',
    'select * from enrollments where course_id = ?',
    'select * from assignments where course_id = ?',
  ],
  discussion_topic: ['select * from discussion_topics where id = ?'],
  file: ['select * from files where id = ?'],
  folder: ['select * from folders where id = ?', 'select * from files where folder_id = ?'],
  group: ['select * from groups where id = ?', 'select * from group_memberships where group_id = ?'],
  group_category: ['select * from group_categories where id = ?', 'select id from groups where group_category_id = ?'],
  module: ['select * from modules where id = ?', 'select * from module_items where module_id = ?'],
  role: ['select * from roles where id = ?'],
  section: ['select * from sections where id = ?', 'select * from enrollments where course_section_id = ?'],
  submission: ['select * from submissions where id = ?', 'select * from submission_reads where submission_id = ?'],
  user: [
    'select * from users where id = ?',
    'select * from logins where user_id = ?',
    'select * from enrollments where user_id = ?',
    'select * from group_memberships where user_id = ?',
    'select * from submissions where user_id = ?',
    'select * from conversation_participants where user_id = ?',
  ],
};
rowsOf.participant = rowsOf.user;
rowsOf.recipient = rowsOf.user;

async function rowsNamed(kind: Kind, value: Value): Promise<string> {
  const [type, id] = typeof value === 'string' && value.includes('_') ? value.split('_') : [kind, value];
  const statements = rowsOf[type as Kind] ?? [];
  if (statements.length === 0) return '';
  const results = await env.DB.batch(statements.map((text) => env.DB.prepare(text).bind(Number(id))));
  return JSON.stringify(results.map((one) => one.results));
}

/** What goes beside an id, so that nothing else is wrong: by its name. */
const beside = ({ course, student }: FullScene): Readonly<Record<string, object>> => ({
  file_ids: { submission_type: 'online_upload' },
  linked_object_id: { linked_object_type: 'assignment' },
  context_id: { context_type: 'Course' },
  student_ids: { title: 'x', due_at: '2030-01-01T00:00:00Z' },
  group_id: { due_at: '2030-01-01T00:00:00Z' },
  course_section_id: { due_at: '2030-01-01T00:00:00Z' },
  conversation_ids: { event: 'mark_as_read' },
  sub_context_codes: { context_codes: [`course_${course.id}`] },
  source_file: { on_duplicate: 'rename' },
  source_file_id: { on_duplicate: 'rename' },
  course_ids: { event: 'offer', user_ids: [student.id] },
  user_ids: { course_ids: [course.id] },
  id: { visible: true, all_dates: [{ base: true, due_at: '2030-01-01T00:00:00Z' }] },
});

/** Leaves out whatever may be left out. */
const least: Dice = { next: () => 0.999, chance: () => false, pick: (from) => from[0] as never };

type Box = Record<string | number, unknown>;

/** The body with a value at a parameter; keys of maps on the way there are the caller's own. */
function bodyWith(endpoint: Endpoint, param: Param, value: Value, scene: FullScene): object {
  const fields = fieldsOf(endpoint);
  const body = bodiesOf(fields, knownIn(scene), least).body(0) as Box;
  const own = everythingIn(scene);
  const keyAt = (steps: readonly string[]) => {
    const { kind } = paramsOf(fields).find((one) => one.isKey && one.steps.join() === steps.join()) ?? {};
    return String((kind && own[kind]?.[0]) ?? 1);
  };
  const way = param.isKey ? [...param.steps, anyKey] : param.steps;
  let at: Box = body;
  way.forEach((step, depth) => {
    const key =
      step === inList ? 0 : step !== anyKey ? step : param.isKey && depth === way.length - 1 ? String(value) : keyAt(way.slice(0, depth));
    const isLast = depth === way.length - 1;
    const isNamed = step !== inList && step !== anyKey && way.slice(depth + 1).every((one) => one === inList);
    if (isNamed) Object.assign(at, beside(scene)[step] ?? {});
    if (isLast) at[key] = param.isKey ? { posted_grade: 5, text_comment: 'x' } : value;
    else {
      const next = way[depth + 1];
      if (typeof at[key] !== 'object' || at[key] === null || Array.isArray(at[key]) !== (next === inList))
        at[key] = next === inList ? [] : {};
      at = at[key] as Box;
    }
  });
  return titleOf(endpoint) in lists ? (Object.values(body)[0] as object) : body;
}

interface Heard {
  readonly status: number;
  readonly text: string;
}

async function send(method: string, address: string, { token }: Person, body?: object): Promise<Heard> {
  const response = await SELF.fetch(`${base}${address}`, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  } as never);
  const headers = [...(response.headers as never as Iterable<[string, string]>)].flat().join(' ');
  return { status: response.status, text: `${new TextDecoder().decode(await response.arrayBuffer())} ${headers}` };
}

const reads = new Map(endpoints.filter(({ method }) => method === 'GET').map((endpoint) => [endpoint.path, endpoint]));

/** Where what was written is read again. */
function placesAfter(endpoint: Endpoint, address: string, { text }: Heard): string[] {
  const there = reads.get(endpoint.path);
  const [, id] = /^\[?\{"id":(\d+)/.exec(text) ?? [];
  const query = `?${(there?.options.include ?? []).map((word) => `include[]=${word}`).join('&')}`;
  return [...(there ? [`${address}${query}`] : []), ...(id && endpoint.method === 'POST' ? [`${address}/${id}`] : [])];
}

async function uuidsOf(ids: readonly Value[]): Promise<Map<number, string>> {
  const { results } = await env.DB.prepare('select id, uuid from files where id in (select value from json_each(?))')
    .bind(JSON.stringify(ids))
    .all<{ id: number; uuid: string }>();
  return new Map(results.map(({ id, uuid }) => [id, uuid]));
}

export async function aForeignScene() {
  const foreign = await aFullScene();
  await markNames(foreign);
  const scene = await aFullScene();
  const sectionTa = await ground.person({ name: 'Sid Section' });
  await ground.enroll(scene.course, sectionTa, 'ta', { section_id: scene.section2, limited: true });
  const facultyAdmin = await ground.admin({ account_id: scene.branch.id });
  const people: Record<Actor, Person> = { student: scene.student, ta: scene.ta, sectionTa, facultyAdmin };
  const secrets = [mark, foreign.student.login];
  const hidden = hiddenIn(scene);
  const all = everythingIn(foreign);
  const before = new Map<string, string>();

  /** Values of a kind that the actor may not read. */
  const valuesFor = (actor: Actor, kind: Kind): readonly Value[] => [
    // To these an assistant is an assistant.
    ...(actor === 'sectionTa' ? [] : (all[kind] ?? [])),
    ...(hidden[actor][kind] ?? []),
  ];
  const fileIds = Object.values(hidden).flatMap((one) => [...(one.file ?? []), ...(all.file ?? [])]);
  const uuids = await uuidsOf(fileIds);
  const secretsOf = (actor: Actor) => [
    ...secrets,
    ...forbidden[actor],
    ...valuesFor(actor, 'file').flatMap((id) => uuids.get(Number(id)) ?? []),
  ];

  const remember = async (kind: Kind, value: Value) => {
    const key = `${kind} ${value}`;
    const known = before.get(key);
    const now = await rowsNamed(kind, value);
    before.set(key, now);
    return known === undefined || known === now;
  };

  return {
    tally: { requests: 0, taken: 0 },

    /** Notes everything foreign as it is. */
    async note(): Promise<void> {
      for (const actor of Object.keys(people) as Actor[])
        for (const kind of Object.keys({ ...all, ...hidden[actor] }) as Kind[])
          for (const value of valuesFor(actor, kind)) await remember(kind, value);
    },

    /** What comes of foreign ids in every parameter of an endpoint: the complaints. */
    async attack(endpoint: Endpoint, actor: Actor): Promise<string[]> {
      const broken: string[] = [];
      const address = fill(endpoint, namesIn(endpoint, scene));
      const secretsHere = secretsOf(actor);
      const tellsOf = ({ text }: Heard) => secretsHere.filter((secret) => text.includes(secret));
      for (const param of paramsOf(fieldsOf(endpoint))) {
        const { kind } = param;
        if (!kind || common.has(kind)) continue;
        for (const value of valuesFor(actor, kind)) {
          const body = bodyWith(endpoint, param, value, scene);
          // What the actor's course hides is changed by others meanwhile.
          if (hidden[actor][kind]?.includes(value)) await remember(kind, value);
          const heard = await send(endpoint.method, address, people[actor], body);
          this.tally.requests += 1;
          const complain = (what: string) =>
            broken.push(
              `${actor}: ${titleOf(endpoint)} ${nameOf(param)}=${value} ${what} ${JSON.stringify(body).slice(0, 200)} → ${heard.status} ${heard.text.slice(0, 200)}`,
            );
          if (heard.status >= 500) complain('fails');
          for (const secret of tellsOf(heard)) complain(`shows ${secret}`);
          if (heard.status >= 400) continue;
          this.tally.taken += 1;
          if (!(await remember(kind, value))) complain('changes it');
          for (const place of placesAfter(endpoint, address, heard)) {
            const later = await send('GET', place, people[actor]);
            for (const secret of tellsOf(later)) complain(`later shows ${secret} at ${place}`);
          }
        }
      }
      return broken;
    },
  };
}

export const actors: readonly Actor[] = ['student', 'ta', 'sectionTa', 'facultyAdmin'];
