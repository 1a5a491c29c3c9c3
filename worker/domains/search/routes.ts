// Recipient search, and its older path.

import { Recipient } from '@carrel/shared/resources/recipient';
import { bool, choice, choices, idField, list as listOf, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { courseStatements, coursesOf } from '../../contexts/several';
import { theIds } from '../../database/ids';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { page, type Reply } from '../../http/reply';
import { contextNamed, rosterParts, typesOf } from '../conversations/recipients/named';
import { reachOf } from '../conversations/recipients/reach';
import { avatarOf } from '../users/display';
import { contextsWanted, type FoundContext, type FoundUser, partsWanted, peopleWanted, personWanted, type Wanted } from './recipients';

export const about = { title: 'Search', description: 'Search for recipients, courses and accounts.' };

const kinds = ['user', 'context', 'course', 'section', 'group'] as const;

const params = {
  search: optional(text),
  context: optional(text),
  exclude: optional(listOf(text)),
  type: choice(...kinds),
  types: choices(...kinds),
  user_id: optional(idField('user')),
  from_conversation_id: optional(idField('conversation')),
  permissions: optional(listOf(text)),
  messageable_only: optional(bool),
  synthetic_contexts: optional(bool),
  skip_visibility_checks: optional(bool),
};

interface Params {
  readonly search?: string;
  readonly context?: string;
  readonly exclude?: readonly string[];
  readonly type?: string;
  readonly types?: readonly string[];
  readonly user_id?: number;
  readonly from_conversation_id?: number;
  readonly permissions?: readonly string[];
  readonly messageable_only?: boolean;
  readonly synthetic_contexts?: boolean;
}

const groupAvatar = (origin: string) => `${origin}/images/messages/avatar-group-50.png`;

function userJson(user: FoundUser, origin: string) {
  const common_courses: Record<string, string[]> = {};
  for (const [course_id, type] of JSON.parse(user.met) as [number, string][])
    common_courses[course_id] = [...(common_courses[course_id] ?? []), type];
  return {
    id: user.id,
    name: user.short_name,
    full_name: user.name,
    ...(user.pronouns !== null && { pronouns: user.pronouns }),
    common_courses,
    common_groups: Object.fromEntries((JSON.parse(user.teams) as number[]).map((id) => [String(id), ['Member']])),
    avatar_url: avatarOf(user, origin),
  };
}

const contextJson = (found: FoundContext, course: CourseContext | undefined, asked: readonly string[], origin: string) => ({
  id: `${found.kind}_${found.id}`,
  name: found.name,
  type: 'context',
  avatar_url: groupAvatar(origin),
  user_count: found.user_count,
  permissions: Object.fromEntries(asked.map((name) => [name, course?.can(name) ?? false])),
  ...(found.kind !== 'course' && { context_name: found.course_name }),
  ...(found.kind !== 'course' && found.course_id > 0 && { parent: `course_${found.course_id}` }),
});

/** Synthetic contexts like `course_1_teachers`, for types with at least one user. */
const partsJson = (code: string, counts: readonly { type: string; user_count: number }[], origin: string) =>
  rosterParts.flatMap((part) => {
    const user_count = counts.filter((one) => typesOf(part).includes(one.type)).reduce((sum, one) => sum + one.user_count, 0);
    const name = part === 'tas' ? 'Teaching Assistants' : `${part[0]?.toUpperCase()}${part.slice(1)}`;
    return user_count === 0 ? [] : [{ id: `${code}_${part}`, name, type: 'context', avatar_url: groupAvatar(origin), user_count }];
  });

/** A course's sections and groups, as one synthetic context each. */
const listsJson = (code: string, contexts: readonly FoundContext[], origin: string) =>
  (['section', 'group'] as const).flatMap((kind) => {
    const item_count = contexts.filter((found) => found.kind === kind && `course_${found.course_id}` === code).length;
    const name = kind === 'section' ? 'Course Sections' : 'Student Groups';
    return item_count === 0 ? [] : [{ id: `${code}_${kind}s`, name, type: 'context', avatar_url: groupAvatar(origin), item_count }];
  });

/** Parses the context; `course_1_sections` names a synthetic context that has no users of its own. */
function contextOf({ context: code }: Params) {
  const [, course, list] = /^(course_\d{1,15})_(section|group)s$/.exec(code ?? '') ?? [];
  return { context: code === undefined ? undefined : contextNamed(course ?? code), list };
}

const kindsOf = ({ type, types }: Params): ReadonlySet<string> => {
  const asked = [...(types ?? []), ...(type ? [type] : [])];
  const all =
    asked.length === 0
      ? ['user', 'course', 'section', 'group']
      : asked.flatMap((one) => (one === 'context' ? ['course', 'section', 'group'] : [one]));
  return new Set(all);
};

/** The position of a page: within synthetic contexts, after a context, or after a user. */
function startOf({ page: { after, number, per_page } }: Pick<Call, 'page'>) {
  const [kind, ...values] = after ?? [];
  const [first, second, third] = values;
  return {
    skipped: kind === 'parts' ? Number(first) || 0 : number ? (number - 1) * per_page : 0,
    context: kind === 'contexts' ? ([String(first), String(second), Number(third) || 0] as const) : undefined,
    person: kind === 'people' ? ([String(first), Number(second) || 0] as const) : undefined,
  };
}

const contextKinds = ['course', 'section', 'group'] as const;

async function findRecipients(call: Call): Promise<Reply> {
  const { db, me, institution, now, origin, url } = call;
  const given = call.params as Params;
  // A blank search matches everyone: clients send one by default.
  if (!url.searchParams.has('search') && given.context === undefined && given.user_id === undefined) return page([]);
  const reach = reachOf(call);
  const { context, list } = contextOf(given);
  const words = (given.search ?? '').split(/\s+/).filter((word) => word !== '');
  const excluded = new Set(given.exclude ?? []);
  const kinds = list === undefined ? kindsOf(given) : new Set([list]);
  const start = startOf(call);
  const { skipped } = start;
  const { per_page } = call.page;
  const wanted: Wanted = {
    words,
    context,
    excludedIds: [...excluded].filter((one) => /^\d{1,15}$/.test(one)).map(Number),
    conversation_id: given.from_conversation_id,
    after: start.person,
    limit: skipped + per_page + 1,
  };
  const people = given.user_id === undefined ? peopleWanted(reach, wanted) : personWanted(reach, given.user_id);
  const told = contextKinds.filter(
    (kind) => kinds.has(kind) && (!context || (context.kind === 'course' && kind !== 'course' && kinds.size < 4)),
  );
  const isSummed =
    given.synthetic_contexts === true &&
    given.user_id === undefined &&
    list === undefined &&
    context !== undefined &&
    context.kind !== 'group' &&
    !context.part;
  const isAny = !start.person && given.user_id === undefined && (told.length > 0 || isSummed);
  const ownCourses = sql`select course_id from enrollments where user_id = ${me.id} and enrollment_state = 'active'`;
  const [users, contexts, counts, ...courseRows] = await db.perform([
    db.build.all<FoundUser>(kinds.has('user') ? people : sql`select 0 where 0`),
    contextsWanted(db, {
      me: me.id,
      course_id: isAny ? (context?.kind === 'course' ? context.id : undefined) : 0,
      kinds: isSummed ? ['section', 'group'] : told,
      after: start.context,
      // No limit when the results are filtered or counted here.
      limit: words.length > 0 || given.messageable_only || isSummed ? undefined : wanted.limit + excluded.size,
    }),
    partsWanted(db, reach, isSummed ? context : { kind: 'course', id: 0, part: undefined }),
    ...courseStatements(db, given.permissions?.length || given.messageable_only ? ownCourses : theIds([]), me),
  ]);
  const courses = coursesOf(courseRows, me, institution, now);
  const isWanted = (name: string) => words.every((word) => name.toLowerCase().includes(word.toLowerCase()));
  // A course in which the caller may not write to anyone is not offered.
  const isOpen = ({ course_id }: FoundContext) =>
    !given.messageable_only || course_id === 0 || (courses.find(({ id }) => id === course_id)?.can('send_messages') ?? false);
  const parts =
    isSummed && !start.context && !start.person
      ? [...partsJson(given.context ?? '', counts, origin), ...listsJson(given.context ?? '', contexts, origin)].filter(
          ({ id }) => !excluded.has(id),
        )
      : [];
  const listed = contexts
    .filter((found) => told.includes(found.kind) && isWanted(found.name) && isOpen(found) && !excluded.has(`${found.kind}_${found.id}`))
    .map((found) => {
      const course = courses.find((one) => one.id === found.course_id);
      return { ...contextJson(found, course, given.permissions ?? [], origin), mark: ['contexts', found.kind, found.name, found.id] };
    });
  const found = [
    ...parts.map((part, at) => ({ ...part, mark: ['parts', at + 1] })),
    ...listed,
    ...users.map((user) => ({ ...userJson(user, origin), mark: ['people', user.mark_name, user.mark_id] })),
  ];
  const shown = found.slice(skipped, skipped + per_page);
  const last = found.length > skipped + per_page ? shown.at(-1) : undefined;
  return page(
    shown.map(({ mark, ...json }) => json),
    last?.mark ?? null,
  );
}

export const searchRoutes = [
  get('/search/recipients', { can: 'user', params, returns: { json: Recipient }, summary: 'Find recipients' }, findRecipients),
  get(
    '/conversations/find_recipients',
    { can: 'user', params, returns: { json: Recipient }, summary: 'Find recipients (older path)' },
    findRecipients,
  ),
];
