// Users of a group category, and their assignment to its groups.

import { Distributed } from '@carrel/shared/resources/group';
import { cut } from '@carrel/shared/resources/resource';
import { bool, int, listOf, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { idsOf } from '../../contexts/references';
import { inSectionLimit } from '../../contexts/section_limit';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { get, post } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { Problem, termTooShort } from '../../http/problem';
import { answer, list, type Reply, write } from '../../http/reply';
import { enrollments } from '../enrollments/table';
import { allow, assignmentTag, contextsOfCategory, missingCategory, onlyGroupCategory } from '../groups/category_context';
import { progressJson } from '../progress/json';
import { queued } from '../progress/queue';
import { user } from '../users/json';
import { inAccount } from '../users/policy';
import { holding } from '../users/search/matches';
import { users } from '../users/table';
import { distribute } from './distribute';
import { group_categories } from './table';
import { letInPairs, selectUnassigned } from './unassigned_students';

const at = '/group_categories/:id';

/** Users who may be members: students of a course, or users of an account. */
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
      given.exclude?.length ? sql`coalesce(${user_id} not in (${idsOf('user', given.exclude)}), 1)` : undefined,
    );
  if (!course && account)
    return list(
      rows(users, {
        where: and(inAccount(account), common(sql`${users.id}`)),
        order: ascending(users.sort_name, users.same_id),
      }),
    );
  const isStudent = (e: string) =>
    sql`${sql`${sql.raw(e)}.course_id = ${shared('course', course?.id ?? 0)} and ${sql.raw(`${e}.type = 'StudentEnrollment' and ${e}.enrollment_state in ('active', 'invited')`)}`}${inSectionLimit(course, e)}`;
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
    db.build.select().from(group_categories).where(onlyGroupCategory(id)),
    ...selectUnassigned(db, id, course?.id ?? 0),
  ]);
  const category = categories[0];
  if (!category) throw missingCategory();
  if (category.role === 'student_organized' || category.self_signup === 'restricted') throw new Problem(400, {});
  const asked = { group_by_section: given.group_by_section ?? false };
  // Clients that send `per_page` expect a list.
  if (!(given.sync ?? tree.per_page !== undefined))
    return queued(call, assignmentTag, {
      context_type: 'GroupCategory',
      context_id: id,
      user_id: me.id,
      tag: assignmentTag,
      arguments: asked,
    });
  const pairs = distribute(bins, loners, asked.group_by_section, Math.random);
  const people = new Map(loners.map((one) => [one.user_id, one]));
  const result = bins.map((bin) => ({
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
    answer(result.filter((one) => one.new_members.length > 0).map((one) => cut(Distributed, one))),
  );
}

export const groupCategoryPeopleRoutes = [
  get(
    `${at}/users`,
    {
      can: 'user',
      within: contextsOfCategory,
      params: { search_term: searchTerm, unassigned: optional(bool), exclude: optional(listOf(text)) },
      include: ['avatar_url'],
      returns: [user],
      summary: 'List users of a group category',
    },
    (call) => people(call),
  ),
  post(
    `${at}/assign_unassigned_members`,
    {
      can: 'user',
      within: contextsOfCategory,
      params: { sync: optional(bool), group_by_section: optional(bool), per_page: optional(int) },
      returns: progressJson,
      summary: 'Assign unassigned members',
    },
    (call) => assign(call),
  ),
];

export const distributed = Distributed;
