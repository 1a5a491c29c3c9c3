// Assignments as clients see them: dates and locks as they apply to the caller, includes read with the page.

import { Assignment } from '@carrel/shared/resources/assignment';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { type Serializer, serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { authoredVersion } from '../../rules/authored_content';
import { isHidden } from '../../rules/posted';
import { type LockFields, lockFields } from '../modules/lock_fields';
import { moduleLockOf } from '../modules/locks';
import type { FactsRow } from '../modules/progress/facts';
import { usedRubricFields } from '../rubrics/used_rubric';
import type { submissions } from '../submissions/table';
import { type ComputedRow, computedAssignmentColumns } from './computed_columns';
import { allDates, besideAssignments, statistics, wantsAllDates } from './includes';
import { plainFields, takesSubmission } from './plain_fields';
import { ownReviewJson } from './submissions/own_reviews';
import { looksAsGrader } from './submissions/policy';
import { assignments, authoredAssignmentColumns } from './table';

export type { ComputedRow } from './computed_columns';
export type { AssignmentRow } from './plain_fields';

const saysNo = (given: unknown) => given === 'false' || given === '0' || given === false;
/** Requested on lists, single reads, and in the response to an update. */
const showsBaseDates = ({ tree }: Pick<Call, 'tree'>) =>
  saysNo(tree.override_assignment_dates) || saysNo((tree.assignment as { override_dates?: unknown } | undefined)?.override_dates);

/** Fields that clients may exclude because they are large. */
const omissible = ['description', 'rubric', 'needs_grading_count', 'in_closed_grading_period'];
const omitted = ({ tree }: Pick<Call, 'tree'>): Record<string, undefined> =>
  Object.fromEntries(
    [tree.exclude_response_fields]
      .flat()
      .filter((name): name is string => omissible.includes(name as string))
      .map((name) => [name, undefined]),
  );

/** The module positions of an assignment. */
function placesIn(result: string) {
  const places = JSON.parse(result) as { module_id: number; position: number }[];
  return { module_ids: places.map((one) => one.module_id), module_positions: places.map((one) => one.position) };
}

/** The list that an include has read for an assignment: empty if no row was found, undefined if the include was not requested. */
const includedList = <C extends string>(
  found: readonly (Readonly<Record<C, string>> & { readonly assignment_id: number })[] | undefined,
  id: number,
  column: C,
) => found && JSON.parse(found.find((one) => one.assignment_id === id)?.[column] ?? '[]');

/** With fewer grades than this, statistics would reveal single grades. */
const enoughForStatistics = 5;

type Work = RowOf<typeof submissions>;

/** Statistics are shown to graders, and unless the course hides them, to students whose own grade is shown to them. */
const seesStatistics = (row: ComputedRow, own: Work | undefined, call: Call): boolean =>
  looksAsGrader(call, 0) ||
  (call.course?.settings.hide_distribution_graphs !== true && own !== undefined && own.score !== null && !isHidden(own, row.post_manually));

/** The dates and modules that lock an assignment for the caller; staff are never locked out. */
function lockOf(row: ComputedRow, locks: readonly FactsRow[], { course, now }: Call): LockFields {
  if (row.as_staff === 1 || course?.readsAsAdmin) return { locked_for_user: false };
  const { unlock_at, lock_at } = row.effective_dates;
  return lockFields(
    { asset_string: `assignment_${row.id}`, unlock_at, lock_at, module: moduleLockOf(locks, 'Assignment', row.id, now) },
    now,
  );
}

/** Whether the caller can submit now. */
const canSubmit = (row: ComputedRow, own: Work | undefined, lock: LockFields, { course }: Call): boolean =>
  (course?.participates ?? false) &&
  row.workflow_state === 'published' &&
  !lock.locked_for_user &&
  !own?.excused &&
  takesSubmission(row, (own?.attempt ?? 0) - (own?.extra_attempts ?? 0));

/** One submission, or with `observed_users` a list. */
const includedSubmission = (found: readonly { readonly json: object }[] | undefined, { include }: Call) => {
  const all = found?.map(({ json }) => json);
  return include.has('observed_users') ? all : all?.[0];
};

export const assignment: Serializer<ComputedRow, typeof Assignment> = serializer({
  resource: Assignment,
  table: assignments,
  columns: computedAssignmentColumns,
  also: besideAssignments,
  json(row: ComputedRow, call, { locks, work, overrides, visibility, scores, sections, reviews }) {
    const { course, include } = call;
    const lock = lockOf(row, locks, call);
    const manages = course ? course.can('manage_assignments_edit') : row.as_staff === 1;
    const readsSis = course?.can('read_sis') ?? false;
    const can_edit = when(include.has('can_edit'), manages);
    const its = overrides?.filter((one) => one.row.assignment_id === row.id);
    const mine = work?.filter((one) => one.row.assignment_id === row.id);
    const own = mine?.find((one) => one.row.user_id === call.me.id)?.row;
    const given: number[] | undefined = includedList(scores, row.id, 'scores');
    const user_ids: number[] | undefined = includedList(visibility, row.id, 'user_ids');
    return {
      ...plainFields(row, call),
      ...(row.is_new_quiz === 1 && { can_duplicate: true }),
      description: lock.locked_for_user && !lock.lock_info?.can_view ? null : withHost(row.description, call.origin, row.file_verifiers),
      ...(!showsBaseDates(call) && row.effective_dates),
      ...lock,
      muted: row.is_hidden === 1,
      in_closed_grading_period: row.is_closed === 1,
      has_submitted_submissions: row.has_submissions === 1,
      graded_submissions_exist: row.has_grades === 1,
      unpublishable: when(manages, row.has_submissions === 0),
      has_overrides: when(manages, row.has_overrides === 1),
      needs_grading_count: row.to_grade ?? undefined,
      needs_grading_count_by_section: includedList(sections, row.id, 'counts'),
      sis_assignment_id: when(readsSis, row.sis_assignment_id),
      integration_id: when(readsSis, row.integration_id),
      integration_data: when(readsSis, row.options.integration_data ?? {}),
      submission: when(include.has('submission'), includedSubmission(mine, call)),
      assignment_visibility: user_ids?.map(String),
      overrides: when(
        include.has('overrides') && manages,
        its?.map(({ json }) => json),
      ),
      ...(its && wantsAllDates(call) && allDates(row, its, can_edit, call)),
      can_edit,
      can_submit: when(include.has('can_submit'), canSubmit(row, own, lock, call)),
      score_statistics: given && given.length >= enoughForStatistics && seesStatistics(row, own, call) ? statistics(given) : undefined,
      ...usedRubricFields(row.rubric_used),
      is_quiz_assignment: row.its_quiz_id !== null,
      quiz_id: row.its_quiz_id ?? undefined,
      is_quiz_lti_assignment: when(row.is_new_quiz === 1, true),
      ...(row.in_modules != null && placesIn(row.in_modules)),
      ab_guid: when(include.has('ab_guid'), row.options.ab_guid ?? []),
      ...(include.has('checkpoints') && { has_sub_assignments: false, checkpoints: [] }),
      grades_published: when(include.has('grades_published'), row.grades_published === 1),
      assessment_requests: reviews?.filter((one) => one.assignment_id === row.id).map((one) => ownReviewJson(one, call)),
      new_positions: row.new_positions === undefined ? undefined : JSON.parse(row.new_positions),
      version: when(manages, authoredVersion(row, authoredAssignmentColumns)),
      bucket: when(typeof call.tree.bucket === 'string', call.tree.bucket),
      ...omitted(call),
    };
  },
});
