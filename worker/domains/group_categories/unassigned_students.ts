// Students of a course without a group in a group set, and statements that assign them to its groups.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import type { Bin, MemberPair } from './distribute';

export interface Loner {
  readonly user_id: number;
  readonly name: string;
  readonly display_name: string;
  readonly section_id: number;
  /** `[[id, name], …]` as JSON. */
  readonly sections: string;
}

/** Reads the groups with their size, and the unassigned students. */
export const selectUnassigned = ({ build }: Database, category_id: number, course_id: number) =>
  [
    build.all<Bin>(sql`select g.id as id, g.members_count as count, case when c.role = 'student_organized' then null
        else min(coalesce(g.max_membership, c.group_limit), coalesce(c.group_limit, g.max_membership)) end as room
      from groups g join group_categories c on c.id = g.group_category_id where g.group_category_id = ${category_id} and g.workflow_state = 'available' order by g.name, g.id`),
    build.all<Loner>(sql`select u.id as user_id, u.name as name, u.short_name as display_name, min(e.course_section_id) as section_id,
        json_group_array(json_array(s.id, s.name)) as sections
      from enrollments e join users u on u.id = e.user_id join sections s on s.id = e.course_section_id
      where e.course_id = ${course_id} and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited') and u.workflow_state <> 'deleted'
        and not exists (select 1 from group_memberships m where m.group_category_id = ${category_id} and m.user_id = e.user_id and m.workflow_state = 'accepted')
      group by u.id order by u.id`),
  ] as const;

/** Pairs per statement, to stay below the size limit of a parameter. */
const atOnce = 5000;

/** Adds the pairs whose group still has room and whose user is still unassigned; then picks leaders for sets with random leaders. */
export function letInPairs({ build }: Database, category_id: number, pairs: readonly MemberPair[], now: string): Statement[] {
  const parts = Array.from({ length: Math.ceil(pairs.length / atOnce) }, (_, at) => pairs.slice(at * atOnce, (at + 1) * atOnce));
  return [
    ...parts.map((part) =>
      build.run(sql`insert into group_memberships (group_id, user_id, workflow_state, moderator, created_at, updated_at)
        select group_id, user_id, 'accepted', 0, ${now}, ${now} from (
          select value ->> 0 as group_id, value ->> 1 as user_id, row_number() over (partition by value ->> 0 order by key) as nth from json_each(${JSON.stringify(part)})) p
        where not exists (select 1 from group_memberships m where m.group_category_id = ${category_id} and m.user_id = p.user_id and m.workflow_state = 'accepted')
          and not exists (select 1 from group_memberships m where m.group_id = p.group_id and m.user_id = p.user_id and m.workflow_state not in ('deleted', 'rejected'))
          and exists (select 1 from groups g join group_categories c on c.id = g.group_category_id where g.id = p.group_id and g.workflow_state = 'available'
            and (coalesce(g.max_membership, c.group_limit) is null or g.members_count + p.nth <= min(coalesce(g.max_membership, c.group_limit), coalesce(c.group_limit, g.max_membership))))`),
    ),
    build.run(sql`update groups set leader_id = (select m.user_id from group_memberships m where m.group_id = groups.id and m.workflow_state = 'accepted' order by random() limit 1)
      where group_category_id = ${category_id} and leader_id is null and members_count > 0 and workflow_state = 'available'
        and (select auto_leader from group_categories where id = ${category_id}) = 'random'`),
  ];
}
