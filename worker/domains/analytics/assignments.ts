// The assignments of a course with their figures, for the course and for one student.

import { AssignmentAnalytics, StudentAssignmentAnalytics } from '@carrel/shared/resources/analytics';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isAnonymousToCaller } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import { isInSectionLimit } from '../../contexts/section_limit';
import { shared } from '../../database/shared';
import { withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { ascending, type Listing, type RowOf, rows } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { isAnonymisedSql } from '../../rules/anonymous_grading';
import { assignedTo, type EffectiveDates, effectiveDates, itemsOfAssignment, reaching } from '../../rules/assigned';
import { isHidden } from '../../rules/posted';
import { visibleAssignments } from '../assignments/policy';
import { seesAllGrades } from '../assignments/submissions/policy';
import { assignments } from '../assignments/table';
import { assignmentFiguresOf, workSlotOf, workSlotsOf } from './slots';
import { handInsOf, readHandIns, type StudentWork } from './student_work';
import type { AssignmentFigures, ScoreStatistics } from './table';
import { blankHandIn, isDigital, tardinessCounts, tardinessOf, tardinessShares } from './tardiness';

interface Computed {
  /** JSON. */
  readonly figures: string | null;
  readonly modules: string;
  readonly is_muted: number;
  readonly has_other_dates: number;
  /** Those of the path's student, else of the caller. */
  readonly effective_dates: EffectiveDates;
}

type Row = RowOf<typeof assignments> & Computed;

/** Whether grades are hidden from some students. */
const muted =
  sql.raw(`(case when exists (select 1 from submissions s where s.assignment_id = assignments.id and s.graded_at is not null and s.posted_at is null) then 1
  else assignments.post_manually and not exists (select 1 from submissions s where s.assignment_id = assignments.id and s.graded_at is not null and s.posted_at > '') end)`);

const columns = ({ user, me, now }: Pick<Call, 'user' | 'me' | 'now'>): Record<keyof Computed, SQLWrapper> => ({
  effective_dates: effectiveDates(reaching(sql.raw('= assignments.id'), shared('user', user?.id ?? me.id)), now).as('effective_dates'),
  figures: sql.raw('(select f.figures from assignment_figures f where f.assignment_id = assignments.id)').as('figures'),
  modules: sql`(select json_group_array(module_id) from (select distinct i.module_id from ${itemsOfAssignment} order by i.module_id))`.as(
    'modules',
  ),
  is_muted: muted.as('is_muted'),
  has_other_dates: sql
    .raw(
      "exists (select 1 from assignment_overrides o where o.assignment_id = assignments.id and o.workflow_state = 'active' and o.due_at_overridden)",
    )
    .as('has_other_dates'),
});

/** With fewer scores than this, statistics would reveal single scores. */
const enough = 5;

/** Graders see all scores; others only those that are posted, unless the course hides them. */
function statisticsFor(
  course: CourseContext | undefined,
  { scores, posted }: AssignmentFigures,
  isMuted: boolean,
): ScoreStatistics | null | undefined {
  if (seesAllGrades(course)) return scores;
  const isWithheld = isMuted || (posted?.count ?? 0) < enough || course?.settings.hide_distribution_graphs === true;
  return isWithheld ? undefined : posted;
}

const blank: AssignmentFigures = { scores: null, posted: null, ...tardinessCounts([]) };

function plainJson(row: Row, call: Pick<Call, 'course' | 'user'>, figures: AssignmentFigures) {
  const dates = call.user || !call.course?.readsAsAdmin ? row.effective_dates : row;
  const statistics = statisticsFor(call.course, figures, row.is_muted === 1);
  return {
    assignment_id: row.id,
    title: row.name,
    points_possible: row.points_possible,
    due_at: dates.due_at,
    unlock_at: dates.unlock_at,
    muted: row.is_muted === 1,
    multiple_due_dates: row.has_other_dates === 1,
    non_digital_submission: !isDigital(row.submission_types),
    module_ids: JSON.parse(row.modules) as number[],
    ...(statistics !== undefined && {
      min_score: statistics?.min ?? null,
      max_score: statistics?.max ?? null,
      first_quartile: statistics?.first ?? null,
      median: statistics?.median ?? null,
      third_quartile: statistics?.third ?? null,
    }),
  };
}

/** The work of a section-restricted caller's students, from which their figures are computed: stored figures are of the whole course. */
const slotsInSections = (ids: SQL, { db, course, now }: Call) => {
  const limit = isInSectionLimit(course, sql.raw('cs.user_id'));
  return limit && workSlotsOf(db, sql`assignments.id in (${ids}) and ${limit}`, now);
};

export const assignmentAnalytics = serializer({
  resource: AssignmentAnalytics,
  table: assignments,
  columns,
  also: (ids, call) => ({ slots: slotsInSections(ids, call) }),
  json(row: Row, call, { slots }) {
    const own = slots?.filter((slot) => slot.assignment_id === row.id).map(workSlotOf);
    const stored = row.figures === null ? blank : (JSON.parse(row.figures) as AssignmentFigures);
    const figures = own ? assignmentFiguresOf(own, call.now) : stored;
    const { on_time, late, missing, floating } = figures;
    return { ...plainJson(row, call, figures), tardiness_breakdown: tardinessShares({ on_time, late, missing, floating }) };
  },
});

/** By due date, undated last. */
const byDueDate = ascending(assignments.sort_due, assignments.id);
const published = sql`assignments.workflow_state = 'published'`;

type InCourse = Pick<Call, 'me' | 'user' | 'path'> & { readonly course: CourseContext };

export const courseAssignments = (call: InCourse): Listing =>
  rows(assignments, { where: sql`${visibleAssignments(call.course, call)} and ${published}`, order: byDueDate });

/** Staff without the right to see grades see no score. */
const showsScore = ({ course, me, user }: Pick<Call, 'course' | 'me' | 'user'>): boolean =>
  seesAllGrades(course) || user?.id === me.id || (user !== undefined && (course?.observedIds.includes(user.id) ?? false));

/** A score that is hidden from the caller is absent. */
const submissionJson = ({ score, submitted_at, posted_at }: StudentWork, call: Call, isHiddenFromCaller: boolean) => ({
  ...(showsScore(call) && !isHiddenFromCaller && { score }),
  submitted_at,
  posted_at,
});

export const studentAssignment = serializer({
  resource: StudentAssignmentAnalytics,
  table: assignments,
  columns,
  also: (ids, call) => ({
    slots: slotsInSections(ids, call),
    hand_ins: withColumns(
      call.db.build.all<{ hand_ins: string }>(
        sql`select ${handInsOf(sql`u.id`, shared('course', call.course?.id ?? 0), call.now)} as hand_ins from users u where u.id = ${call.user?.id ?? 0}`,
      ),
      ['hand_ins'],
    ),
  }),
  json(row: Row, call, { slots, hand_ins }) {
    // Also graders see their own work as its student does.
    const isGrader = seesAllGrades(call.course) && call.user?.id !== call.me.id;
    const own = readHandIns(hand_ins[0]?.hand_ins ?? '{"work":[],"special":[]}', isGrader).work.get(row.id);
    const { due_at } = row.effective_dates;
    const stored = row.figures === null ? blank : (JSON.parse(row.figures) as AssignmentFigures);
    const limited = slots?.filter((slot) => slot.assignment_id === row.id).map(workSlotOf);
    return {
      ...plainJson(row, call, limited ? assignmentFiguresOf(limited, call.now) : stored),
      status: tardinessOf(own ?? blankHandIn, due_at, row.submission_types, call.now),
      excused: own?.excused ?? false,
      ...(own && { submission: submissionJson(own, call, !isGrader && isHidden(own, row.post_manually)) }),
    };
  },
});

/** The published assignments that are assigned to the path's student, without those in which the student is anonymous to the caller. */
export const studentAssignments = (
  call: Pick<Call, 'me'> & { readonly course: CourseContext; readonly user: { readonly id: number } },
): Listing =>
  rows(assignments, {
    where: sql`${assignments.course_id} = ${call.course.id} and ${published} and ${assignedTo(sql`${call.user.id}`)}${
      isAnonymousToCaller(call, call.user.id) ? sql` and not ${isAnonymisedSql('assignments', call.course)}` : sql``
    }`,
    order: byDueDate,
  });
