// The moderation set of an assignment: its students, and which of their provisional grades are selected.

import { ModeratedStudent } from '@carrel/shared/resources/moderation';
import { sql } from 'drizzle-orm';
import { anonymousAssignment, isAnonymousTo } from '../../contexts/anonymous_students';
import { among } from '../../database/ids';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { badParameter } from '../../http/problem';
import { serializer } from '../../http/serializer';
import { anonymousIdOf } from '../../rules/anonymous_ids';
import { assignmentOfSubmission, studentIn, studentOfSubmission } from '../../rules/submission_ids';
import { anonymousIdHere, studentNamed } from '../assignments/submissions/anonymity';
import { anonymousOrderOf } from '../submissions/context';
import { user } from '../users/json';
import { users } from '../users/table';
import { isInAssignment, isSeenStudent, type Moderating } from './policy';
import { moderation_selections } from './table';

/** The students of the moderation set whom the caller sees. */
export const moderationSet = (call: Moderating & Pick<Call, 'page'>) => {
  const student = studentOfSubmission(moderation_selections.submission_id);
  const anonymous = anonymousOrderOf(call, student);
  return rows(users, {
    from: moderation_selections,
    join: (select) => select.innerJoin(users, sql`${users.id} = ${student}`),
    where: sql`${isInAssignment('moderation_selections.submission_id', call, anonymous.length > 0 ? undefined : startAfter(call.page, 1)?.[0])} and ${isSeenStudent(call.course, student)}`,
    order: ascending(...anonymous, moderation_selections.submission_id),
  });
};

/** Provisional grades of the assignment of students whom the caller sees, and whether these are in the moderation set. */
export const gradesHere = (call: Moderating, ids: readonly number[]) =>
  call.db.build.all<{ id: number; submission_id: number; selected: number | null; is_in_set: number }>(
    sql`select g.id as id, g.submission_id as submission_id, m.provisional_grade_id as selected, m.submission_id is not null as is_in_set
      from provisional_grades g left join moderation_selections m on m.submission_id = g.submission_id
      where ${among(sql`g.id`, ids)} and ${isInAssignment('g.submission_id', call)} and ${isSeenStudent(call.course, studentOfSubmission(sql.raw('g.submission_id')))} order by g.id`,
  );

/** Selects provisional grades, each for its submission. */
export const selectGrades = ({ db, now }: Moderating, selected: readonly { id: number; submission_id: number }[]): Statement =>
  db.build.run(
    sql`update moderation_selections set provisional_grade_id = j.value ->> 1, updated_at = ${now} from json_each(${JSON.stringify(
      selected.map(({ id, submission_id }) => [submission_id, id]),
    )}) j where moderation_selections.submission_id = j.value ->> 0
      and not exists (select 1 from published_moderations p where p.assignment_id = ${assignmentOfSubmission(sql.raw('moderation_selections.submission_id'))})`,
  );

export const selectionJson = (call: Moderating, assignment_id: number, { id, submission_id }: { id: number; submission_id: number }) => ({
  assignment_id,
  ...(isAnonymousTo(call, assignment_id, studentIn(submission_id))
    ? { anonymous_id: anonymousIdOf(call, assignment_id, studentIn(submission_id)) }
    : { student_id: studentIn(submission_id) }),
  selected_provisional_grade_id: id,
});

export const namesAnonymously = ({ course, path }: Pick<Moderating, 'course' | 'path'>): boolean =>
  anonymousAssignment(course, path.assignment_id) !== undefined;

/** A student of the moderation set, by the anonymous id where the caller may not know who it is. */
export const moderatedStudent = serializer({
  resource: ModeratedStudent,
  table: users,
  columns: user.columns,
  also: user.also,
  json(row: Parameters<typeof user.json>[0], call, found) {
    const anonymous_id = anonymousIdHere(call, row.id);
    return anonymous_id === undefined ? user.json(row, call, found) : { anonymous_id };
  },
});

/** The students named in a request. @throws Problem 400 for ids of users where the students are anonymous */
export function chosenStudents(
  call: Moderating & { readonly params: { readonly student_ids?: readonly number[]; readonly anonymous_ids?: readonly string[] } },
): number[] {
  const { student_ids = [], anonymous_ids = [] } = call.params;
  if (student_ids.length > 0 && namesAnonymously(call))
    throw badParameter('student_ids', 'names students who are anonymous: send anonymous_ids');
  return [...new Set([...student_ids, ...anonymous_ids.map((one) => studentNamed(call, call.path.assignment_id, one))])];
}
