// Effects of a grade or comment on the other members of a group. Pure (reference 03 §4.3, §4.5).

import { type GradeWrite, saysSomething } from './input';

export interface Mate {
  readonly assignment_id: number;
  /** The student whose group it is. */
  readonly user_id: number;
  readonly mate_id: number;
  readonly is_excused: number;
  /** Their due date is in a closed grading period, which the caller may not change. */
  readonly is_closed: number;
}

/** A grade applies to all members unless the assignment grades individually. An excuse does not, and excused members keep theirs, as do members in a closed grading period. */
const gradeFor = ({ assignment, grade }: GradeWrite, mate: Mate): GradeWrite['grade'] => {
  const isEach = assignment.options.grade_group_students_individually === true;
  const { posted_grade, late_policy_status, seconds_late_override, custom_grade_status_id } = grade ?? {};
  const grades = [posted_grade, late_policy_status, seconds_late_override, custom_grade_status_id].some((one) => one !== undefined);
  return grade && grades && !grade.excuse && !isEach && mate.is_excused === 0 && mate.is_closed === 0
    ? { ...grade, excuse: undefined }
    : undefined;
};

/** The changes, and those that follow for group members. Explicit changes take precedence. */
export function withMates(deeds: readonly GradeWrite[], mates: readonly Mate[]): readonly GradeWrite[] {
  if (mates.length === 0) return deeds;
  const keyOf = (assignment: number, user: number) => `${assignment} ${user}`;
  const done = new Set(deeds.map(({ assignment, user_id }) => keyOf(assignment.id, user_id)));
  const further = deeds.flatMap((deed) =>
    mates
      .filter(({ assignment_id, user_id }) => assignment_id === deed.assignment.id && user_id === deed.user_id)
      .flatMap((mate): GradeWrite[] => {
        const key = keyOf(deed.assignment.id, mate.mate_id);
        const grade = done.has(key) ? undefined : gradeFor(deed, mate);
        const comment = deed.comment?.group_comment && saysSomething(deed.comment) ? deed.comment : undefined;
        if (!grade && !comment) return [];
        if (grade) done.add(key);
        return [{ ...deed, user_id: mate.mate_id, grade, comment }];
      }),
  );
  return [...deeds, ...further];
}
