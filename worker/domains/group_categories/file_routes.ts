// Imports and exports the memberships of a group set as a CSV file.

import { BadCsv } from '@carrel/shared/csv/reader';
import { csvLine } from '@carrel/shared/csv/writer';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isInSectionLimit } from '../../contexts/section_limit';
import { randomText } from '../../database/tokens';
import { attachedFile } from '../../http/attached_file';
import type { Call } from '../../http/call';
import { get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { Problem, unauthorized } from '../../http/problem';
import { one, type Reply, rawResponse, write } from '../../http/reply';
import { allow, contextsOfCategory, missingCategory, onlyGroupCategory } from '../groups/category_context';
import { isProtected } from '../groups/policy';
import { groups } from '../groups/table';
import { progressJson } from '../progress/json';
import { progress } from '../progress/table';
import { holds } from '../users/json';
import { type ImportedMember, importedMembers, plannedMemberships } from './import_rows';
import { group_categories } from './table';
import { letInPairs } from './unassigned_students';

const at = '/group_categories/:id';
const largest = 2_000_000;
type Here = Call & { readonly id: number };

const refused = (message: string) => new Problem(400, { message });

/** A select of the users named in the rows. */
const namedIn = (seats: readonly ImportedMember[]): SQL => {
  const every = (name: 'canvas_user_id' | 'user_id' | 'login_id') => JSON.stringify([...new Set(seats.flatMap((row) => row[name] ?? []))]);
  return sql`select cast(value as integer) from json_each(${every('canvas_user_id')})
    union select user_id from logins where account_id = 1 and workflow_state <> 'deleted' and sis_user_id in (select value from json_each(${every('user_id')}))
    union select user_id from logins where account_id = 1 and workflow_state <> 'deleted' and lower(unique_id) in (select lower(value) from json_each(${every('login_id')}))`;
};

/**
 * Users who may be members, with their SIS and login ids: students of the course, or the named users of an account.
 * @param asked a select of ids
 */
const peopleOf = ({ db, course }: Call, asked: SQL) =>
  db.build.all<{ id: number; name: string; sis_user_id: string | null; unique_id: string | null; sections: string | null }>(
    course
      ? sql`select u.id, u.name, l.sis_user_id, l.unique_id, group_concat(distinct s.name) as sections
          from enrollments e join users u on u.id = e.user_id and u.is_test_student = 0 join sections s on s.id = e.course_section_id
          left join logins l on l.id = (select min(o.id) from logins o where o.user_id = u.id and o.workflow_state = 'active')
          where e.course_id = ${course.id} and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited') and ${isInSectionLimit(course, sql`u.id`) ?? sql`1`} group by u.id order by u.sort_name, u.id`
      : sql`select u.id, u.name, l.sis_user_id, l.unique_id, null as sections from logins l join users u on u.id = l.user_id and u.workflow_state <> 'deleted'
          where l.workflow_state = 'active' and l.user_id in (${asked}) group by u.id order by u.sort_name, u.id`,
  );

const groupsOf = ({ db, id }: Here) =>
  db.build
    .select({ id: groups.id, name: groups.name, sis_group_id: groups.sis_group_id })
    .from(groups)
    .where(and(eq(groups.group_category_id, id), eq(groups.workflow_state, 'available')))
    .orderBy(groups.name, groups.id);

/** @throws Problem 400 for an invalid file */
function rowsOf(file: Uint8Array): ImportedMember[] {
  try {
    return importedMembers(file);
  } catch (problem) {
    throw problem instanceof BadCsv ? refused(problem.message) : problem;
  }
}

async function takeIn(call: Here): Promise<Reply> {
  const { db, id, now, me, institution } = call;
  allow(call, 'manage_groups_add');
  const { bytes } = await attachedFile(call.request, largest, 'no file was sent as attachment');
  const seats = rowsOf(bytes);
  const [[category], there, people] = await db.perform([
    db.build.select().from(group_categories).where(onlyGroupCategory(id)),
    groupsOf(call),
    peopleOf(call, namedIn(seats)),
  ]);
  if (!category) throw missingCategory();
  if (isProtected(category)) throw unauthorized();
  const result = plannedMemberships(seats, there, people);
  const known = result.joins.flatMap(({ group_id, user_id }) => (group_id === undefined ? [] : [[group_id, user_id] as const]));
  const named = JSON.stringify(result.joins.filter(({ group_name }) => group_name !== undefined));
  const joining = JSON.stringify(result.joins.map(({ user_id }) => user_id));
  const work = {
    context_type: 'GroupCategory',
    context_id: id,
    user_id: me.id,
    tag: 'course_group_import',
    completion: 100,
    workflow_state: 'completed' as const,
    message: `${result.joins.length} assigned, ${result.leaves.length} removed${result.skipped > 0 ? `, ${result.skipped} rows without a group or person that is here` : ''}`,
    created_at: now,
    updated_at: now,
  };
  return write(
    [
      db.build.run(sql`insert into groups (context_type, context_id, group_category_id, name, storage_quota_mb, non_collaborative, uuid, created_at, updated_at)
        select c.context_type, c.context_id, c.id, n.value, ${institution.root.default_group_storage_quota_mb ?? 50}, c.non_collaborative, ${randomText(12)} || '-' || n.key, ${now}, ${now}
        from json_each(${JSON.stringify(result.newGroups)}) n cross join group_categories c where c.id = ${id}
          and not exists (select 1 from groups g where g.group_category_id = c.id and g.workflow_state = 'available' and g.name = n.value)`),
      // Members who change groups make room first.
      db.build.run(sql`update group_memberships set workflow_state = 'deleted', updated_at = ${now} where workflow_state not in ('deleted', 'rejected') and group_category_id = ${id} and (
        exists (select 1 from json_each(${JSON.stringify(result.leaves)}) l where l.value ->> 'group_id' = group_memberships.group_id and l.value ->> 'user_id' = group_memberships.user_id)
        or (user_id in (select value from json_each(${joining})) and not exists (
          select 1 from json_each(${JSON.stringify(known)}) k where k.value ->> 0 = group_memberships.group_id and k.value ->> 1 = group_memberships.user_id)))`),
      ...letInPairs(db, id, known, now),
      db.build.run(sql`insert into group_memberships (group_id, user_id, workflow_state, moderator, created_at, updated_at)
        select g.id, p.value ->> 'user_id', 'accepted', 0, ${now}, ${now} from json_each(${named}) p
        join groups g on g.group_category_id = ${id} and g.workflow_state = 'available' and g.name = p.value ->> 'group_name'
        join group_categories c on c.id = g.group_category_id
        where not exists (select 1 from group_memberships m where m.group_id = g.id and m.user_id = p.value ->> 'user_id' and m.workflow_state not in ('deleted', 'rejected'))
          and (c.group_limit is null or (select count(*) from json_each(${named}) before where before.value ->> 'group_name' = p.value ->> 'group_name' and before.key <= p.key) <= c.group_limit)`),
      db.build.insert(progress).values(work),
    ],
    one(rows(progress, { where: eq(progress.id, sql`last_insert_rowid()`) })),
  );
}

async function tell(call: Here): Promise<Reply> {
  const { db, id } = call;
  allow(call, 'manage_groups_manage');
  const [seesSis, seesLogins] = [holds(call, 'read_sis') || holds(call, 'manage_sis'), holds(call, 'view_user_logins')];
  const [[category], there, people, seats] = await db.perform([
    db.build.select().from(group_categories).where(onlyGroupCategory(id)),
    groupsOf(call),
    peopleOf(call, sql`select user_id from group_memberships where group_category_id = ${id} and workflow_state = 'accepted'`),
    db.build.all<{ group_id: number; user_id: number }>(
      sql`select group_id, user_id from group_memberships where group_category_id = ${id} and workflow_state = 'accepted'`,
    ),
  ]);
  if (!category) throw missingCategory();
  const groupById = new Map(there.map((group) => [group.id, group]));
  const seatOf = new Map(seats.map(({ group_id, user_id }) => [user_id, groupById.get(group_id)]));
  const lines = people
    .filter((person) => call.course || seatOf.has(person.id))
    .map((person) => {
      const group = seatOf.get(person.id);
      const own = [person.name, person.id, seesSis ? person.sis_user_id : null, seesLogins ? person.unique_id : null, person.sections];
      return csvLine([...own, group?.name, group?.id, seesSis ? group?.sis_group_id : null]);
    });
  const head = csvLine(['name', 'canvas_user_id', 'user_id', 'login_id', 'sections', 'group_name', 'canvas_group_id', 'group_id']);
  const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="groups.csv"' };
  return rawResponse(new Response([head, ...lines].join(''), { headers }));
}

export const groupCategoryFileRoutes = [
  post(
    `${at}/import`,
    { can: 'user', within: contextsOfCategory, rawBody: true, returns: progressJson, summary: 'Import group memberships' },
    (call) => takeIn(call),
  ),
  get(
    `${at}/export`,
    { can: 'user', within: contextsOfCategory, ending: '.csv', returns: { json: null }, summary: 'Export group memberships' },
    (call) => tell(call),
  ),
];
