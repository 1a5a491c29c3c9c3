// Group categories: every endpoint, in the order of the API reference.

import { choice, listOf, optional, text } from '@carrel/shared/wire/fields';
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { managesAnyGroups } from '../../contexts/group';
import { differs } from '../../contexts/unchanged';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { invalid } from '../../http/problem';
import { list, oneOr, type Reply, write } from '../../http/reply';
import {
  allow,
  aroundOf,
  assignmentTag,
  contextsOfCategory,
  foundGroupCategory,
  missingCategory,
  onlyGroupCategory,
  shut,
} from '../groups/category_context';
import { groupIncludes, group as groupJson } from '../groups/json';
import { groupContextOf, isProtected } from '../groups/policy';
import { groups } from '../groups/table';
import { queueProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { creatable, type GroupCategoryGiven, groupCategoryColumnsOf, groupCategoryFields, groupCategoryRefusals, nameTaken } from './input';
import { changedCategory, groupCategory } from './json';
import { group_categories } from './table';

export const about = { title: 'Group categories', description: 'Sets of groups, with import, export and automatic assignment.' };

const include = ['groups_count', 'unassigned_users_count', 'groups'] as const;
const at = '/group_categories/:id';
const contexts = ['/courses/:course_id', '/accounts/:account_id'] as const;
const params = { includes: optional(listOf(text)), collaboration_state: choice('all', 'collaborative', 'non_collaborative') };

/** New groups, named after the set with continued numbers. */
const newGroups = ({ db, now, institution }: Pick<Call, 'db' | 'now' | 'institution'>, category: SQL, count: SQL | number) =>
  db.build.run(sql`insert into groups (context_type, context_id, group_category_id, name, storage_quota_mb, non_collaborative, uuid, created_at, updated_at)
    with recursive counted(n) as (select 1 where ${count} > 0 union all select n + 1 from counted where n < ${count})
    select c.context_type, c.context_id, c.id, c.name || ' ' || cast(n + (select count(*) from groups g where g.group_category_id = c.id) as text),
      ${institution.root.default_group_storage_quota_mb ?? 50}, c.non_collaborative, lower(hex(randomblob(12))), ${now}, ${now}
    from counted cross join group_categories c where c.id = ${category}`);

/** Queues the job that a write has prepared. */
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

/** Groups to create with the set, and students to distribute over them. */
function filled(call: Call, category: SQL, { count, perGroup, splits }: ReturnType<typeof groupCategoryColumnsOf>) {
  const students = sql`(select count(distinct e.user_id) from enrollments e where e.course_id = ${call.course?.id ?? 0} and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited'))`;
  const asked = perGroup === undefined || count > 0 ? count : sql`min(200, cast((${students} + ${perGroup - 1}) / ${perGroup} as integer))`;
  if (asked === 0) return [];
  if (splits) sendQueued(call, category);
  return [
    newGroups(call, category, asked),
    ...(splits
      ? [
          queueProgress(
            call.db,
            { context_type: 'GroupCategory', context_id: category, user_id: call.me.id, tag: assignmentTag, arguments: {} },
            call.now,
          ),
        ]
      : []),
  ];
}

function create(call: Call & { params: GroupCategoryGiven & { non_collaborative?: boolean } }): Reply {
  const { db, now, params: given } = call;
  const { type, id } = groupContextOf(call);
  const around = aroundOf(call);
  const saved = groupCategoryColumnsOf(given, undefined, (permission) => around?.can(permission) ?? false);
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
    groupCategoryRefusals,
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
        summary: 'List group categories of a course or account',
      },
      (call) => {
        const { type, id } = groupContextOf(call);
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
      { can: 'manage_groups_add', params: creatable, include, returns: changedCategory, summary: 'Create a group category' },
      (call) => create(call),
    ),
  ]),
  get(
    at,
    {
      can: 'user',
      within: contextsOfCategory,
      params: { includes: params.includes },
      include,
      returns: groupCategory,
      summary: 'Get a group category',
    },
    (call) => {
      allow(call);
      return oneOr(rows(group_categories, { where: onlyGroupCategory(call.id) }), missingCategory);
    },
  ),
  put(
    at,
    {
      can: 'user',
      within: contextsOfCategory,
      params: groupCategoryFields,
      include,
      returns: changedCategory,
      summary: 'Update a group category',
    },
    async (call) => {
      const { db, id, now } = call;
      const before = await foundGroupCategory(call, 'manage_groups_manage');
      const around = aroundOf(call);
      const saved = groupCategoryColumnsOf(call.params, before, (permission) => around?.can(permission) ?? false);
      if (isProtected(before) && differs(saved.columns.name, before.name)) throw invalid('name', 'invalid', 'cannot be changed');
      return write(
        [
          db.build
            .update(group_categories)
            .set({ ...saved.columns, updated_at: now })
            .where(onlyGroupCategory(id)),
          ...filled(call, sql`${id}`, saved),
        ],
        oneOr(rows(group_categories, { where: onlyGroupCategory(id) }), missingCategory),
        groupCategoryRefusals,
      );
    },
  ),
  del(at, { can: 'user', within: contextsOfCategory, returns: changedCategory, summary: 'Delete a group category' }, async (call) => {
    const { db, id, now } = call;
    const before = await foundGroupCategory(call, 'manage_groups_delete');
    if (isProtected(before)) throw shut();
    return write(
      [db.build.update(group_categories).set({ workflow_state: 'deleted', updated_at: now }).where(onlyGroupCategory(id))],
      oneOr(rows(group_categories, { where: eq(group_categories.id, id) }), missingCategory),
    );
  }),
  get(
    `${at}/groups`,
    { can: 'user', within: contextsOfCategory, include: groupIncludes, returns: [groupJson], summary: 'List groups of a group category' },
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
];
