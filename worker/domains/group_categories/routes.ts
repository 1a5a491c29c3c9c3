// Sets of groups: every endpoint, in the order of the API reference.

import { Distributed } from '@carrel/shared/resources/group';
import { cut } from '@carrel/shared/resources/resource';
import { bool, int, list as listOf, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type CategoryRow, managesAnyGroups } from '../../contexts/group';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { invalid, Problem, termTooShort, unauthorized } from '../../http/problem';
import { answer, list, oneOr, type Reply, write } from '../../http/reply';
import { enrollments } from '../enrollments/table';
import { groupIncludes, group as groupJson } from '../groups/json';
import { contextOf, isProtected } from '../groups/policy';
import { groups } from '../groups/table';
import { progress as progressJson } from '../progress/json';
import { queueProgress } from '../progress/progress';
import { queued } from '../progress/queue';
import { progress } from '../progress/table';
import { user } from '../users/json';
import { inAccount } from '../users/policy';
import { holding } from '../users/search';
import { users } from '../users/table';
import { facts, letInPairs } from './assigning';
import { distribute } from './distribute';
import { changedCategory, groupCategory } from './json';
import { columnsOf, creatable, editable, type Given, nameTaken, refusals } from './saving';
import { group_categories } from './table';

const include = ['groups_count', 'unassigned_users_count', 'groups'] as const;
const at = '/group_categories/:id';
const contexts = ['/courses/:course_id', '/accounts/:account_id'] as const;
const params = { includes: optional(listOf(text)), collaboration_state: optional(oneOf('all', 'collaborative', 'non_collaborative')) };

const missing = () => new Problem(404, { status: 'not found' });
const shut = () => new Problem(401, { status: 'unauthorized' });
const aroundOf = ({ course, account }: Pick<Call, 'course' | 'account'>) => course ?? account;

const within = ({ id = '' }: Record<string, string>) => {
  const held = (type: string) =>
    sql`select context_id from group_categories where id = ${/^\d{1,15}$/.test(id) ? Number(id) : 0} and context_type = ${type} and workflow_state = 'available'`;
  return { course: held('Course'), account: held('Account') };
};
const only = (id: number): SQL => and(eq(group_categories.id, id), eq(group_categories.workflow_state, 'available')) as SQL;

/** Of sets: any right over groups, unless one is named. @throws Problem 404 for a set that is not there, 401 for one that is somebody else's */
function allow(call: Pick<Call, 'course' | 'account'>, permission?: string): void {
  const around = aroundOf(call);
  if (!around) throw missing();
  if (permission ? !around.can(permission) : !managesAnyGroups(around)) throw unauthorized();
}

async function found(call: Pick<Call, 'db' | 'course' | 'account'> & { id: number }, permission: string): Promise<CategoryRow> {
  allow(call, permission);
  const [[category]] = await call.db.perform([call.db.build.select().from(group_categories).where(only(call.id))]);
  if (!category) throw missing();
  return category;
}

/** New groups, named after the set and numbered on. */
const newGroups = ({ db, now, institution }: Pick<Call, 'db' | 'now' | 'institution'>, category: SQL, count: SQL | number) =>
  db.build.run(sql`insert into groups (context_type, context_id, group_category_id, name, storage_quota_mb, non_collaborative, uuid, created_at, updated_at)
    with recursive counted(n) as (select 1 where ${count} > 0 union all select n + 1 from counted where n < ${count})
    select c.context_type, c.context_id, c.id, c.name || ' ' || cast(n + (select count(*) from groups g where g.group_category_id = c.id) as text),
      ${institution.root.default_group_storage_quota_mb ?? 50}, c.non_collaborative, lower(hex(randomblob(12))), ${now}, ${now}
    from counted cross join group_categories c where c.id = ${category}`);

/** Sends the work that a write has queued. */
function sendQueued(call: Call, category: SQL): void {
  call.afterwards(async () => {
    const db = call.db.aside;
    const [[work]] = await db.perform([
      db.build
        .select({ id: progress.id })
        .from(progress)
        .where(
          and(eq(progress.context_type, 'GroupCategory'), sql`${progress.context_id} = ${category}`, eq(progress.workflow_state, 'queued')),
        )
        .orderBy(desc(progress.id))
        .limit(1),
    ]);
    if (work) await call.env.WORK.send({ job: 'assign_unassigned_members', progress_id: work.id });
  });
}

const tag = 'assign_unassigned_members';

/** Groups that are asked for with a set, and the students who are to be split among them. */
function filled(call: Call, category: SQL, { count, perGroup, splits }: ReturnType<typeof columnsOf>) {
  const students = sql`(select count(distinct e.user_id) from enrollments e where e.course_id = ${call.course?.id ?? 0} and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited'))`;
  const asked = perGroup === undefined || count > 0 ? count : sql`min(200, cast((${students} + ${perGroup - 1}) / ${perGroup} as integer))`;
  if (asked === 0) return [];
  if (splits) sendQueued(call, category);
  return [
    newGroups(call, category, asked),
    ...(splits
      ? [queueProgress(call.db, { context_type: 'GroupCategory', context_id: category, user_id: call.me.id, tag, arguments: {} }, call.now)]
      : []),
  ];
}

function create(call: Call & { params: Given & { non_collaborative?: boolean } }): Reply {
  const { db, now, params: given } = call;
  const { type, id } = contextOf(call);
  const around = aroundOf(call);
  const saved = columnsOf(given, undefined, (permission) => around?.can(permission) ?? false);
  const { columns } = saved;
  const its = and(
    eq(group_categories.context_type, type),
    eq(group_categories.context_id, id),
    eq(group_categories.name, columns.name ?? ''),
    eq(group_categories.workflow_state, 'available'),
  );
  const category = sql`(select id from group_categories where ${its})`;
  return write(
    [
      db.build.insert(group_categories).values({
        ...columns,
        name: columns.name ?? '',
        context_type: type,
        context_id: id,
        non_collaborative: given.non_collaborative ?? false,
        created_at: now,
        updated_at: now,
      }),
      ...filled(call, category, saved),
    ],
    oneOr(rows(group_categories, { where: its }), nameTaken),
    refusals,
  );
}

/** People who may be in the groups: students of a course, whoever an account holds. */
function people(call: Call & { id: number; params: { search_term?: string; unassigned?: boolean; exclude?: string[] } }): Reply {
  allow(call, 'read_roster');
  const { course, account, id, params: given } = call;
  const term = given.search_term?.trim();
  if (term !== undefined && term !== '' && term.length < 2) throw termTooShort();
  const common = (user_id: SQL) =>
    and(
      eq(users.is_test_student, false),
      sql`${users.workflow_state} <> 'deleted'`,
      term ? holding(term, ['name', 'sortable_name']) : undefined,
      given.unassigned
        ? sql`not exists (select 1 from group_memberships m where m.group_category_id = ${id} and m.user_id = ${user_id} and m.workflow_state = 'accepted')`
        : undefined,
      given.exclude?.length ? sql`not ${among(user_id, given.exclude.map(Number).filter(Number.isSafeInteger))}` : undefined,
    );
  if (!course && account)
    return list(
      rows(users, {
        where: and(inAccount(account), common(sql`${users.id}`)),
        order: ascending(sql`${users.sortable_name} collate nocase`, users.id),
      }),
    );
  const isStudent = (e: string) =>
    sql.raw(`${e}.course_id = ${course?.id ?? 0} and ${e}.type = 'StudentEnrollment' and ${e}.enrollment_state in ('active', 'invited')`);
  return list(
    rows(users, {
      from: enrollments,
      join: (select) => select.innerJoin(users, eq(users.id, enrollments.user_id)),
      where: and(
        isStudent('enrollments'),
        sql`not exists (select 1 from enrollments e indexed by enrollments_of_user_in_course where e.user_id = enrollments.user_id and e.id < enrollments.id and ${isStudent('e')})`,
        common(sql`${enrollments.user_id}`),
      ),
      order: ascending(enrollments.sortable_name, enrollments.id),
    }),
  );
}

async function assign(call: Call & { id: number; params: { sync?: boolean; group_by_section?: boolean } }): Promise<Reply> {
  const { db, id, now, params: given, tree, me, course } = call;
  allow(call, 'manage_groups_manage');
  const [categories, bins, loners] = await db.perform([
    db.build.select().from(group_categories).where(only(id)),
    ...facts(db, id, course?.id ?? 0),
  ]);
  const category = categories[0];
  if (!category) throw missing();
  if (category.role === 'student_organized' || category.self_signup === 'restricted') throw new Problem(400, {});
  const asked = { group_by_section: given.group_by_section ?? false };
  // A client that sends a page size wants a list.
  if (!(given.sync ?? tree.per_page !== undefined))
    return queued(call, tag, { context_type: 'GroupCategory', context_id: id, user_id: me.id, tag, arguments: asked });
  const pairs = distribute(bins, loners, asked.group_by_section, Math.random);
  const people = new Map(loners.map((one) => [one.user_id, one]));
  const told = bins.map((bin) => ({
    id: bin.id,
    new_members: pairs
      .filter(([group_id]) => group_id === bin.id)
      .flatMap(([, user_id]) => people.get(user_id) ?? [])
      .map(({ user_id, name, display_name, sections }) => ({
        user_id,
        name,
        display_name,
        sections: (JSON.parse(sections) as [number, string][]).map(([section_id, section_code]) => ({ section_id, section_code })),
      })),
  }));
  return write(
    letInPairs(db, id, pairs, now),
    answer(told.filter((one) => one.new_members.length > 0).map((one) => cut(Distributed, one))),
  );
}

export const groupCategoryRoutes = [
  ...contexts.flatMap((context) => [
    get(
      `${context}/group_categories`,
      {
        can: (call) => managesAnyGroups(aroundOf(call)),
        params,
        include,
        returns: [groupCategory],
        summary: 'List the sets of groups of a course or account',
      },
      (call) => {
        const { type, id } = contextOf(call);
        const state = call.params.collaboration_state ?? 'all';
        return list(
          rows(group_categories, {
            where: and(
              eq(group_categories.context_type, type),
              eq(group_categories.context_id, id),
              eq(group_categories.workflow_state, 'available'),
              state === 'all' ? undefined : eq(group_categories.non_collaborative, state === 'non_collaborative'),
            ),
            order: ascending(group_categories.name, group_categories.id),
          }),
        );
      },
    ),
    post(
      `${context}/group_categories`,
      { can: 'manage_groups_add', params: creatable, include, returns: changedCategory, summary: 'Create a set of groups' },
      (call) => create(call as never),
    ),
  ]),
  get(
    at,
    { can: 'user', within, params: { includes: params.includes }, include, returns: groupCategory, summary: 'Get a set of groups' },
    (call) => {
      allow(call);
      return oneOr(rows(group_categories, { where: only(call.id) }), missing);
    },
  ),
  put(at, { can: 'user', within, params: editable, include, returns: changedCategory, summary: 'Change a set of groups' }, async (call) => {
    const { db, id, now } = call;
    const before = await found(call, 'manage_groups_manage');
    const around = aroundOf(call);
    const saved = columnsOf(call.params, before, (permission) => around?.can(permission) ?? false);
    if (isProtected(before) && saved.columns.name) throw invalid('name', 'invalid', 'cannot be changed');
    return write(
      [
        db.build
          .update(group_categories)
          .set({ ...saved.columns, updated_at: now })
          .where(only(id)),
        ...filled(call as Call, sql`${id}`, saved),
      ],
      oneOr(rows(group_categories, { where: only(id) }), missing),
      refusals,
    );
  }),
  del(at, { can: 'user', within, returns: changedCategory, summary: 'Delete a set of groups' }, async (call) => {
    const { db, id, now } = call;
    const before = await found(call, 'manage_groups_delete');
    if (isProtected(before)) throw shut();
    return write(
      [db.build.update(group_categories).set({ workflow_state: 'deleted', updated_at: now }).where(only(id))],
      oneOr(rows(group_categories, { where: eq(group_categories.id, id) }), missing),
    );
  }),
  get(
    `${at}/groups`,
    { can: 'user', within, include: groupIncludes, returns: [groupJson], summary: 'List the groups of a set' },
    (call) => {
      allow(call);
      return list(
        rows(groups, {
          where: and(eq(groups.group_category_id, call.id), eq(groups.workflow_state, 'available')),
          order: ascending(groups.name, groups.id),
        }),
      );
    },
  ),
  get(
    `${at}/users`,
    {
      can: 'user',
      within,
      params: { search_term: optional(text), unassigned: optional(bool), exclude: optional(listOf(text)) },
      include: ['avatar_url'],
      returns: [user],
      summary: 'List the people who may be in the groups of a set',
    },
    (call) => people(call as never),
  ),
  post(
    `${at}/assign_unassigned_members`,
    {
      can: 'user',
      within,
      params: { sync: optional(bool), group_by_section: optional(bool), per_page: optional(int) },
      returns: progressJson,
      summary: 'Spread the students who are in no group',
    },
    (call) => assign(call as never),
  ),
];

export const distributed = Distributed;
