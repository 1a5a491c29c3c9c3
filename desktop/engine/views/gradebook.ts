// The gradebook: all students and assignments of a course with their results and totals, from the cells in the store.

import type { ScoredWork } from '@carrel/shared/grading/course_scores';
import { gradeNameOf } from '@carrel/shared/grading/score_to_grade';
import type { GradebookCell, GradebookRow, GradebookView } from '../../contract/gradebook';
import { hasFlag } from '../grading/cells';
import { hasWeightedPeriods, totalsIn } from '../grading/totals';
import type { Outbox } from '../outbox/outbox';
import { schemeOf } from '../server/graded_work';
import {
  columnOf,
  dueFor,
  type EnrolledStudent,
  type Grading,
  gradingChoiceOf,
  isLoading,
  mayGrade,
  type OpenCourse,
  openGradedCourse,
  studentsIn,
} from '../server/grading_course';
import { blankCell, isMissing, keyOfResult, shownCell, type UnsentGrades, unsentGrades, withUnsent } from './gradebook_cells';

interface Here extends Grading {
  readonly outbox: Outbox;
  readonly now: () => Date;
}

/** Null: the user grades nothing in this course. */
export function gradebookView(here: Here, courseId: number): GradebookView | null {
  const graded = mayGrade(here, courseId) ? openGradedCourse(here.cache, courseId) : undefined;
  if (!graded) return null;
  const choice = gradingChoiceOf(here, courseId);
  const students = choice === 'chosen' ? studentsIn(here.cache, courseId) : [];
  const ids = students.map(({ user_id }) => user_id);
  const columns = graded.assignments.map((assignment) => columnOf(graded, assignment, ids));
  const unassigned = new Map(columns.map(({ assignment_id, unassigned }) => [assignment_id, new Set(unassigned)]));
  const results = resultsOf({ here, graded, students: ids, unassigned, unsent: unsentGrades(here.outbox, courseId) });
  const isWeighted = graded.course.apply_assignment_group_weights ?? false;
  return {
    course_id: courseId,
    choice,
    is_loading: isLoading(here, courseId),
    may_grade: true,
    is_weighted: isWeighted,
    groups: graded.groups.map(({ id, name, group_weight }) => ({ id, name, weight: isWeighted ? (group_weight ?? 0) : null })),
    sections: sectionsOf(graded, students),
    columns,
    rows: rowsOf(graded, students, results, unassigned),
    cells: results.cells,
  };
}

interface Course {
  readonly here: Here;
  readonly graded: OpenCourse;
  readonly students: readonly number[];
  readonly unassigned: ReadonlyMap<number, ReadonlySet<number>>;
  readonly unsent: UnsentGrades;
}

/** Of each student, in their order. */
interface Counted {
  readonly work: Map<number, ScoredWork>;
  readonly periods: Map<number, number>;
}

interface Results {
  readonly cells: readonly GradebookCell[];
  readonly counted: readonly Counted[];
}

function resultsOf(course: Course): Results {
  const { here, graded, students, unsent } = course;
  const counted = students.map((): Counted => ({ work: new Map(), periods: new Map() }));
  const placeOf = new Map(students.map((user, at) => [user, at]));
  const assignments = new Map(graded.assignments.map((one) => [one.id, one]));
  const needsPeriods = hasWeightedPeriods(graded.course);
  const cells: GradebookCell[] = [];
  for (const cell of students.length === 0 ? [] : here.cache.students.cells(graded.id)) {
    const [user, assignment_id, , , , , , , , , period] = cell;
    const of = counted[placeOf.get(user) ?? -1];
    const assignment = assignments.get(assignment_id);
    if (!of || !assignment) continue;
    const intents = unsent.size === 0 ? undefined : unsent.get(keyOfResult(assignment_id, user));
    const shown = intents ? withUnsent(shownCell(cell), intents, graded.workOf(assignment), assignment) : shownCell(cell);
    cells.push(shown);
    of.work.set(assignment_id, scored(shown, !intents && hasFlag(cell, 'in_review')));
    if (needsPeriods && period !== null) of.periods.set(assignment_id, period);
  }
  return { cells: [...cells, ...resultsWithoutWork(course, counted)], counted };
}

const scored = ({ score, excused }: GradebookCell, isPending: boolean): ScoredWork => ({ score, excused, isPending, isHidden: false });

/** Of students for whom the server stores nothing yet: what is missing, or was graded here. */
function resultsWithoutWork({ here, graded, students, unassigned, unsent }: Course, counted: readonly Counted[]): GradebookCell[] {
  const now = here.now().toISOString();
  const found: GradebookCell[] = [];
  for (const assignment of graded.assignments) {
    const { id, anonymize_students, published } = assignment;
    // Of anonymous students nothing is here, so nothing is known about them.
    if (anonymize_students || published === false) continue;
    const others = unassigned.get(id);
    for (const [at, user] of students.entries()) {
      const work = counted[at]?.work;
      if (work?.has(id) || others?.has(user)) continue;
      const intents = unsent.size === 0 ? undefined : unsent.get(keyOfResult(id, user));
      const missing = isMissing(assignment, dueFor(graded.facts, assignment, user), now);
      if (!missing && !intents) continue;
      const cell = withUnsent(blankCell(user, id, missing), intents, graded.workOf(assignment), assignment);
      found.push(cell);
      if (intents) work?.set(id, scored(cell, false));
    }
  }
  return found;
}

function rowsOf(
  { course, facts, groups, assignments }: OpenCourse,
  students: readonly EnrolledStudent[],
  { counted }: Results,
  unassigned: ReadonlyMap<number, ReadonlySet<number>>,
): GradebookRow[] {
  const totals = totalsIn(course, groups, assignments);
  const scheme = course.grading_standard_id == null ? null : schemeOf(course.grading_standard_id, facts);
  const differing = [...unassigned].filter(([, users]) => users.size > 0);
  return counted.map((results, at) => {
    const student = students[at] as EnrolledStudent;
    const others = new Set(differing.flatMap(([assignment, users]) => (users.has(student.user_id) ? assignment : [])));
    const { current, final } = totals({ ...results, unassigned: others });
    return {
      ...student,
      current_score: current,
      current_grade: current === null || scheme === null ? null : gradeNameOf(current, scheme),
      final_score: final,
    };
  });
}

/** By the name that the server gives; before it is known, by the number. */
function sectionsOf({ facts }: OpenCourse, students: readonly EnrolledStudent[]): GradebookView['sections'] {
  const names = new Map(facts.sections.map(({ id, name }) => [id, name]));
  const ids = new Set(students.flatMap(({ section_ids }) => section_ids));
  return [...ids].map((id) => ({ id, name: names.get(id) ?? `${id}` })).sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}
