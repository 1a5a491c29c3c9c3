// Messages between a student and the instructors of a course, by day.

import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isGrader } from '../../contexts/predicates';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { found } from '../../http/problem';
import { thatStudent } from './policy';

interface Day {
  readonly day: string;
  readonly instructorMessages: number;
  readonly studentMessages: number;
}

/** Counts above zero only. Pure. */
export const communicationOf = (days: readonly Day[]) =>
  Object.fromEntries(
    days.map(({ day, instructorMessages, studentMessages }) => [
      day,
      { ...(instructorMessages > 0 && { instructorMessages }), ...(studentMessages > 0 && { studentMessages }) },
    ]),
  );

type Asking = Pick<Call, 'db' | 'me'> & { readonly course: CourseContext; readonly user: { readonly id: number } };

/** @throws Problem 404 when the user is no student whom the caller sees */
export async function studentCommunication({ db, course, user, me }: Asking) {
  const student = shared('user', user.id);
  const here = shared('course', course.id);
  // A TA may be a student, too.
  const instructs = (who: string) =>
    sql`exists (select 1 from enrollments e where e.user_id = ${sql.raw(who)} and e.course_id = ${here} and ${isGrader('e')} and e.enrollment_state in ('active', 'completed') and e.user_id <> ${student})`;
  const [[seen], days] = await db.perform([
    db.build.all<{ user_id: number }>(thatStudent(course, user.id, { me })),
    db.build.all<Day>(sql`select substr(m.created_at, 1, 10) as day, sum(m.author_id <> ${student}) as instructorMessages, sum(m.author_id = ${student}) as studentMessages
      from conversation_participants p cross join conversations c on c.id = p.conversation_id and c.context_type = 'Course' and c.context_id = ${here}
        cross join conversation_message_participants v on v.conversation_id = c.id and v.user_id = ${student}
        cross join conversation_messages m on m.id = v.conversation_message_id
      where p.user_id = ${student} and m.generated = 0 and case when m.author_id = ${student}
        then exists (select 1 from conversation_participants o where o.conversation_id = c.id and ${instructs('o.user_id')}) else ${instructs('m.author_id')} end
      group by day order by day`),
  ]);
  found(seen);
  return communicationOf(days);
}
