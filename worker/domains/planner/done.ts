// Marking a planner item as done, or not, also applies to module items with a "mark done" requirement.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { isActiveStudent } from '../../contexts/predicates';
import type { Statement } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { evaluateStudent, recordMark } from '../modules/progress/record';
import type { Plannable } from './plannables';

const contents: Partial<Record<Plannable['plannable_type'], string>> = {
  assignment: 'Assignment',
  discussion_topic: 'Discussion',
  wiki_page: 'Page',
  quiz: 'Quiz',
};

/** Content that assignments grade. */
const gradedTables = { Discussion: 'discussion_topics', Quiz: 'quizzes' } as const;

/** @param done undefined when not sent */
export function markPlannableDone(thing: Plannable, done: boolean | undefined, call: Call): Statement[] {
  const type = contents[thing.plannable_type];
  const { course_id } = thing;
  if (type === undefined || course_id === null || done === undefined) return [];
  const { db, me, now } = call;
  const gradedIn = lookUp(gradedTables, type);
  const graded = gradedIn
    ? sql` or (i.type = 'Assignment' and i.content_id = (select assignment_id from ${sql.raw(gradedIn)} where id = ${thing.plannable_id}))`
    : sql``;
  const items = sql`i.course_id = ${course_id} and ((i.type = ${type} and i.content_id = ${thing.plannable_id})${graded})
    and i.workflow_state = 'active' and i.requirement_type = 'must_mark_done'
    and exists (select 1 from enrollments e where e.user_id = ${shared('user', me.id)} and e.course_id = ${course_id} and ${isActiveStudent('e')})`;
  call.afterwards(() => evaluateStudent(db.aside, course_id, me.id, now));
  if (done) return [recordMark(db, course_id, me.id, items, 'done', now)];
  return [
    db.build.run(
      sql`delete from module_marks where user_id = ${shared('user', me.id)} and mark = 'done' and item_id in (select i.id from module_items i where ${items})`,
    ),
  ];
}
