// Sends ids of objects that a caller may not read in every id parameter, and checks that the request has no effect.

import { env, SELF } from 'cloudflare:test';
import type { IdKind } from '@carrel/shared/wire/fields';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { as, base, ground, ok } from './api';
import { endpoints, fillPath, pathValuesIn, titleOf } from './every_endpoint';
import { bodyWith, everythingIn, type ForeignValues, fieldsOf, type Value } from './foreign_bodies';
import { aFullScene, type FullScene, sceneWords } from './full_scene';
import type { Person } from './ground';
import { paramNameOf, paramsOf } from './id_params';

type Actor = 'student' | 'ta' | 'sectionTa' | 'facultyAdmin';

/** Endpoints whose purpose is to name a user who is not known yet. */
const introducing: readonly (readonly [endpoint: RegExp, parameter: string])[] = [
  // Users with the right to enroll may name anyone in the institution by id (reference 02 §4.2).
  [/^POST \/(courses|sections)\/:\w+\/enrollments$/, 'enrollment[user_id]'],
  // Users with the right to appoint administrators may name anyone in the institution by id (reference 01 B3).
  [/^POST \/accounts\/:\w+\/admins$/, 'user_id'],
];
const isIntroduced = (title: string, parameter: string) =>
  introducing.some(([endpoint, name]) => name === parameter && endpoint.test(title));

/** Part of the name of everything in the scene that no actor has access to. */
const mark = 'FOREIGN';

/** Kinds that everyone in the institution may name; parts of rubrics and questions count only within these. */
const common: ReadonlySet<IdKind> = new Set(['custom_grade_status', 'login_provider', 'quiz_question_part', 'rubric_part', 'term']);

/** Deletions come last, so that the others find the scene complete. */
export const writingEndpoints = endpoints
  .filter(({ method }) => method !== 'GET')
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

/** What each actor cannot read in their own course. */
const hiddenIn = ({ ids, course, student, student2, section2 }: FullScene): Record<Actor, ForeignValues> => ({
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
    participant: [student2.id],
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

const { unpublished, work, own, locked } = sceneWords;
const forbidden: Record<Actor, readonly string[]> = {
  student: [unpublished, work, own, locked],
  // Has received the message that is private to others.
  ta: [],
  sectionTa: [work],
  facultyAdmin: [own],
};

/** The columns by which the scene's names are found, to mark them. */
const named: Readonly<Record<string, readonly [column: string, where: string]>> = {
  accounts: ['name', 'id = $account'],
  assignments: ['name', 'course_id = $course'],
  courses: ['name', 'id = $course'],
  external_tools: ['name', "context_type = 'Course' and context_id = $course or context_type = 'Account' and context_id = $account"],
  discussion_topics: ['title', "context_type = 'Course' and context_id = $course"],
  files: ['display_name', "context_type = 'Course' and context_id = $course or id = $file"],
  folders: ['name', "context_type = 'Course' and context_id = $course and parent_folder_id is not null"],
  grading_standards: ['title', "context_type = 'Course' and context_id = $course or context_type = 'Account' and context_id = $account"],
  groups: ['name', "context_type = 'Course' and context_id = $course"],
  group_categories: ['name', "context_type = 'Course' and context_id = $course"],
  modules: ['name', 'course_id = $course'],
  question_banks: ['title', "context_type = 'Course' and context_id = $course"],
  quiz_groups: ['name', 'course_id = $course'],
  quiz_questions: ['question_name', 'course_id = $course'],
  quizzes: ['title', 'course_id = $course'],
  roles: ['name', 'account_id = $account'],
  rubrics: ['title', "context_type = 'Course' and context_id = $course"],
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

/** Rows that must not change, by the kind of the named object. `?` is its id. */
const rowsOf: Partial<Record<IdKind, readonly string[]>> = {
  account: [
    'select * from accounts where id = ?',
    'select * from admins where account_id = ?',
    'select * from courses where account_id = ?',
  ],
  assignment: ['select * from assignments where id = ?', 'select * from assignment_overrides where assignment_id = ?'],
  assignment_group: ['select * from assignment_groups where id = ?', 'select id from assignments where assignment_group_id = ?'],
  assignment_override: ['select * from assignment_overrides where id = ?'],
  content: ['select * from assignments where id = ?'],
  custom_gradebook_column: [
    'select * from custom_gradebook_columns where id = ?',
    'select * from custom_gradebook_data where column_id = ?',
  ],
  conversation: [
    'select * from conversation_messages where conversation_id = ?',
    'select * from conversation_participants where conversation_id = ?',
  ],
  course: [
    'select * from courses where id = ?',
    'select * from enrollments where course_id = ?',
    'select * from assignments where course_id = ?',
  ],
  developer_key: ['select * from developer_keys where id = ?'],
  discussion_topic: ['select * from discussion_topics where id = ?'],
  external_tool: ['select * from external_tools where id = ?'],
  file: ['select * from files where id = ?'],
  folder: ['select * from folders where id = ?', 'select * from files where folder_id = ?'],
  grading_standard: ['select * from grading_standards where id = ?'],
  grading_period: ['select * from grading_periods where id = ?', 'select * from final_grade_overrides where grading_period_id = ?'],
  grading_period_set: ['select * from grading_period_sets where id = ?'],
  group: ['select * from groups where id = ?', 'select * from group_memberships where group_id = ?'],
  group_category: ['select * from group_categories where id = ?', 'select id from groups where group_category_id = ?'],
  module: ['select * from modules where id = ?', 'select * from module_items where module_id = ?'],
  module_item: ['select * from module_items where id = ?'],
  new_quiz_item: ['select * from new_quiz_items where id = ?'],
  question_bank: ['select * from question_banks where id = ?', 'select * from quiz_groups where question_bank_id = ?'],
  quiz: ['select * from quizzes where id = ?'],
  quiz_group: ['select * from quiz_groups where id = ?', 'select * from quiz_questions where quiz_group_id = ?'],
  quiz_question: ['select * from quiz_questions where id = ?'],
  quiz_submission: [
    'select * from quiz_submissions where id = ?',
    'select * from quiz_attempts where quiz_submission_id = ?',
    'select * from quiz_answers where quiz_submission_id = ?',
  ],
  learning_outcome: ['select * from learning_outcomes where id = ?', 'select * from learning_outcome_links where learning_outcome_id = ?'],
  outcome_group: [
    'select * from learning_outcome_groups where id = ?',
    'select * from learning_outcome_links where learning_outcome_group_id = ?',
  ],
  poll_choice: ['select * from poll_choices where id = ?', 'select * from poll_submissions where poll_choice_id = ?'],
  role: ['select * from roles where id = ?'],
  rubric: ['select * from rubrics where id = ?', 'select * from rubric_associations where rubric_id = ?'],
  content_export: ['select * from content_exports where id = ?'],
  rubric_association: ['select * from rubric_associations where id = ?'],
  section: ['select * from sections where id = ?', 'select * from enrollments where course_section_id = ?'],
  submission: ['select * from submissions where id = ?', 'select * from submission_reads where submission_id = ?'],
  user: [
    'select * from users where id = ?',
    'select * from logins where user_id = ?',
    'select * from enrollments where user_id = ?',
    'select * from group_memberships where user_id = ?',
    'select * from submissions where user_id = ?',
    'select * from final_grade_overrides where user_id = ?',
    'select * from conversation_participants where user_id = ?',
  ],
};
rowsOf.participant = rowsOf.user;
rowsOf.recipient = rowsOf.user;

async function rowsNamed(kind: IdKind, value: Value): Promise<string> {
  const [type, id] = typeof value === 'string' && value.includes('_') ? value.split('_') : [kind, value];
  const statements = rowsOf[type as IdKind] ?? [];
  if (statements.length === 0) return '';
  const results = await env.DB.batch(statements.map((text) => env.DB.prepare(text).bind(Number(id))));
  return JSON.stringify(results.map((one) => one.results));
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

async function send(method: string, address: string, { token }: Person, body?: object): Promise<Answered> {
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

/** An appointment reserved by the second student. */
async function reservedSlot({ course, teacher, student2 }: FullScene): Promise<number> {
  const appointment_group = {
    context_codes: [`course_${course.id}`],
    title: 'Private talks',
    publish: true,
    participant_visibility: 'private',
    new_appointments: [['2099-02-01T10:00:00Z', '2099-02-01T11:00:00Z']],
  };
  const group = ok(await as(teacher).post('/appointment_groups', { appointment_group }), 201);
  const [slot] = ok(await as(teacher).get(`/appointment_groups/${group.id}`, { include: ['appointments'] })).appointments;
  ok(await as(student2).post(`/calendar_events/${slot.id}/reservations`, { comments: `${sceneWords.own} comment` }));
  return slot.id;
}

/** Where written data is read back. */
function placesAfter(endpoint: Endpoint, address: string, { text }: Answered): string[] {
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

/** A request with a foreign id. */
interface Sent {
  readonly endpoint: Endpoint;
  readonly actor: Actor;
  readonly address: string;
  readonly kind: IdKind;
  readonly value: Value;
}

/** The parameters that take ids which not every user may name. */
const idParamsOf = (endpoint: Endpoint) =>
  paramsOf(fieldsOf(endpoint)).flatMap((param) => {
    const { kind } = param;
    return !kind || common.has(kind) || isIntroduced(titleOf(endpoint), paramNameOf(param)) ? [] : [{ param, kind }];
  });

export async function aForeignScene() {
  const foreign = await aFullScene();
  await markNames(foreign);
  const scene = await aFullScene();
  const sectionTa = await ground.person({ name: 'Sid Section' });
  await ground.enroll(scene.course, sectionTa, 'ta', { section_id: scene.section2, limited: true });
  const facultyAdmin = await ground.admin({ account_id: scene.branch.id });
  const slot = await reservedSlot(scene);
  const people: Record<Actor, Person> = { student: scene.student, ta: scene.ta, sectionTa, facultyAdmin };
  const secrets = [mark, foreign.student.login];
  const hidden = hiddenIn(scene);
  const all = everythingIn(foreign);
  const before = new Map<string, string>();

  /** Ids of a kind that the actor may not read. */
  const valuesFor = (actor: Actor, kind: IdKind): readonly Value[] => [
    // For these, an assistant has the permissions of staff.
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

  const remember = async (kind: IdKind, value: Value) => {
    const key = `${kind} ${value}`;
    const known = before.get(key);
    const now = await rowsNamed(kind, value);
    before.set(key, now);
    return known === undefined || known === now;
  };

  /** What a request with a foreign id must not have done: fail, show something of the object, or change it. */
  async function effectsOf(sent: Sent, answered: Answered): Promise<string[]> {
    const { endpoint, actor, address, kind, value } = sent;
    const secretsHere = secretsOf(actor);
    const shownIn = ({ text }: Answered) => secretsHere.filter((secret) => text.includes(secret));
    const found = [...(answered.status >= 500 ? ['fails'] : []), ...shownIn(answered).map((secret) => `shows ${secret}`)];
    if (answered.status >= 400) return found;
    if (!(await remember(kind, value))) found.push('changes it');
    for (const place of placesAfter(endpoint, address, answered)) {
      const later = await send('GET', place, people[actor]);
      found.push(...shownIn(later).map((secret) => `later shows ${secret} at ${place}`));
    }
    return found;
  }

  return {
    tally: { requests: 0, taken: 0 },

    /** Records every foreign object as it is. */
    async note(): Promise<void> {
      for (const actor of Object.keys(people) as Actor[])
        for (const kind of Object.keys({ ...all, ...hidden[actor] }) as IdKind[])
          for (const value of valuesFor(actor, kind)) await remember(kind, value);
    },

    /** Tries foreign ids in every id parameter of an endpoint, and returns the complaints. */
    async attack(endpoint: Endpoint, actor: Actor): Promise<string[]> {
      const broken: string[] = [];
      const places = pathValuesIn(endpoint, scene);
      const address = fillPath(endpoint, endpoint.path.includes('/reservations') ? { ...places, event: slot } : places);
      for (const { param, kind } of idParamsOf(endpoint))
        for (const value of valuesFor(actor, kind)) {
          // Objects hidden in the actor's course may be changed by others in the meantime.
          if (hidden[actor][kind]?.includes(value)) await remember(kind, value);
          const body = bodyWith(endpoint, param, value, scene);
          const answered = await send(endpoint.method, address, people[actor], body);
          this.tally.requests += 1;
          if (answered.status < 400) this.tally.taken += 1;
          const about = `${actor}: ${titleOf(endpoint)} ${paramNameOf(param)}=${value}`;
          const rest = `${JSON.stringify(body).slice(0, 200)} → ${answered.status} ${answered.text.slice(0, 200)}`;
          const effects = await effectsOf({ endpoint, actor, address, kind, value }, answered);
          broken.push(...effects.map((effect) => `${about} ${effect} ${rest}`));
        }
      return broken;
    },
  };
}

export const actors: readonly Actor[] = ['student', 'ta', 'sectionTa', 'facultyAdmin'];
