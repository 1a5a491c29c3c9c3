// "Mark as done", mirrored in the student's planner.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Statement } from '../../../database/open';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { planner_overrides } from '../../planner/table';
import { module_marks } from '../table';
import { recordMark } from './record';

type Doing = Pick<Call, 'db' | 'me' | 'now'>;

/** A condition on `module_items`: the item, if the caller sees it. */
type Here = SQL | undefined;

/** Read in `from`, where D1 does not count expression depth. */
const ids = (here: Here): SQL => sql`(select id from (select id from module_items where ${here}))`;
const asked = (course: CourseContext, here: Here): SQL =>
  sql`i.id in ${ids(here)} and i.course_id = ${course.id} and i.workflow_state = 'active' and i.requirement_type = 'must_mark_done'`;

/** The planner type of an item. Graded topics are discussions there. */
const plannable = sql.raw(
  "case i.type when 'Page' then 'wiki_page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' end",
);

/** The planner override for the content of an item with a "mark done" requirement. */
const mirror = ({ db, me, now }: Doing, course: CourseContext, here: Here, isDone: boolean): Statement => {
  const flag = sql.raw(isDone ? '1' : '0');
  return db.build
    .insert(planner_overrides)
    .select(
      sql`select null, ${shared('user', me.id)}, ${plannable}, i.content_id, ${flag}, ${flag}, 'active', ${shared('time', now)}, ${shared('time', now)} from module_items i
        where ${asked(course, here)} and ${plannable} is not null and i.content_id is not null`,
    )
    .onConflictDoUpdate({
      target: [planner_overrides.user_id, planner_overrides.plannable_type, planner_overrides.plannable_id],
      set: {
        marked_complete: sql`excluded.marked_complete`,
        dismissed: sql`excluded.dismissed`,
        workflow_state: 'active',
        updated_at: now,
      },
    });
};

export const markRequirementDone = (call: Doing, course: CourseContext, here: Here): Statement[] => [
  recordMark(call.db, course.id, call.me.id, asked(course, here), 'done', call.now),
  mirror(call, course, here, true),
];

/** Removes all the student's marks of the item. */
export const unmarkDone = (call: Doing, course: CourseContext, here: Here): Statement[] => [
  call.db.build
    .delete(module_marks)
    .where(sql`item_id in ${ids(here)} and user_id = ${shared('user', call.me.id)} and course_id = ${course.id}`),
  mirror(call, course, here, false),
];
