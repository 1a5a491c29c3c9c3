// Validates an override: the change to make, or the reasons why it is invalid (reference 03 §3.3).

import { untilEndOfDay } from '../dates/midnight';
import type { OverrideGiven } from './input';
import type { OverrideRow } from './json';

export interface OverrideContext {
  readonly zone: string;
  readonly assignments: readonly {
    readonly id: number;
    readonly due_at: string | null;
    readonly unlock_at: string | null;
    readonly lock_at: string | null;
    readonly group_category_id: number | null;
  }[];
  readonly overrides: readonly OverrideRow[];
  readonly named: readonly { readonly assignment_override_id: number; readonly assignment_id: number; readonly user_id: number }[];
  readonly sections: readonly { readonly id: number; readonly name: string }[];
  readonly groups: readonly { readonly id: number; readonly name: string; readonly group_category_id: number }[];
  /** The group set sent with the assignment, if it belongs to the course. */
  readonly setIds: readonly number[];
  /** The document to annotate, if the caller may read it. */
  readonly documentIds: readonly number[];
  /** The named students who are in the course. */
  readonly studentIds: readonly number[];
  readonly course: { readonly id: number; readonly name: string };
}

export type OverrideValues = Pick<
  OverrideRow,
  'title' | 'unassign_item' | 'due_at' | 'due_at_overridden' | 'unlock_at' | 'unlock_at_overridden' | 'lock_at' | 'lock_at_overridden'
>;
type Target = Pick<OverrideRow, 'set_type' | 'set_id'> & { readonly group_category_id?: number };

export type Judgement =
  | { readonly kind: 'refused'; readonly errors: readonly string[]; readonly field?: 'due_at' | 'unlock_at' }
  | {
      readonly kind: 'create';
      readonly assignment_id: number;
      readonly target: Target;
      readonly values: OverrideValues;
      readonly student_ids: readonly number[];
    }
  | {
      readonly kind: 'update';
      readonly row: OverrideRow;
      readonly values: OverrideValues;
      /** Absent: unchanged. */
      readonly student_ids?: readonly number[];
    };

const refused = (...errors: string[]): Judgement => ({ kind: 'refused', errors });
const titleFor = (count: number) => (count === 1 ? '1 student' : `${count} students`);
const isCounted = (title: string) => /^\d+ students?$/.test(title);

/** A date that is sent, even as null, is overridden; a date that is not sent loses its override. */
function dates(given: OverrideGiven, zone: string) {
  const due_at = untilEndOfDay(given.due_at, zone);
  const lock_at = untilEndOfDay(given.lock_at, zone);
  return {
    due_at: due_at ?? null,
    due_at_overridden: due_at !== undefined,
    unlock_at: given.unlock_at ?? null,
    unlock_at_overridden: given.unlock_at !== undefined,
    lock_at: lock_at ?? null,
    lock_at_overridden: lock_at !== undefined,
  };
}

interface Span {
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
}

/** Problems with the order of dates: unlock, due, lock. */
export function disorder({ due_at, unlock_at, lock_at }: Span): { field: 'due_at' | 'unlock_at'; message: string } | undefined {
  const after = (a: string | null, b: string | null) => a !== null && b !== null && a > b;
  if (after(unlock_at, due_at)) return { field: 'unlock_at', message: 'must be before due date' };
  if (after(due_at, lock_at)) return { field: 'due_at', message: 'must be before lock date' };
  if (after(unlock_at, lock_at)) return { field: 'unlock_at', message: 'must be before lock date' };
  return undefined;
}

function misdated(values: OverrideValues, base: Span): Judgement | undefined {
  const wrong = disorder({
    due_at: values.due_at_overridden ? values.due_at : base.due_at,
    unlock_at: values.unlock_at_overridden ? values.unlock_at : base.unlock_at,
    lock_at: values.lock_at_overridden ? values.lock_at : base.lock_at,
  });
  return wrong && { kind: 'refused', errors: [`${wrong.field} ${wrong.message}`], field: wrong.field };
}

function misnamed(student_ids: readonly number[], assignment_id: number, ground: OverrideContext, except?: number): string | undefined {
  if (student_ids.length === 0) return 'student_ids must not be empty';
  const unknown = student_ids.filter((id) => !ground.studentIds.includes(id));
  if (unknown.length > 0) return `unknown student ids: ${unknown.join(', ')}`;
  const taken = ground.named.find(
    (one) => one.assignment_id === assignment_id && one.assignment_override_id !== except && student_ids.includes(one.user_id),
  );
  return taken && `student ${taken.user_id} already belongs to an override of this assignment`;
}

function targetOf(given: OverrideGiven, ground: OverrideContext, set: number | null): { target: Target; title: string } | string {
  if (given.student_ids !== undefined) {
    const title = given.title || titleFor(new Set(given.student_ids).size);
    return { target: { set_type: 'ADHOC', set_id: null }, title };
  }
  if (given.group_id !== undefined) {
    const group = ground.groups.find(({ id, group_category_id }) => id === given.group_id && group_category_id === set);
    if (!group) return 'unknown group id';
    return { target: { set_type: 'Group', set_id: group.id, group_category_id: group.group_category_id }, title: group.name };
  }
  if (given.course_section_id !== undefined) {
    const section = ground.sections.find(({ id }) => id === given.course_section_id);
    return section ? { target: { set_type: 'CourseSection', set_id: section.id }, title: section.name } : 'unknown section id';
  }
  if (given.course_id === undefined) return 'one of student_ids, group_id, course_section_id or course_id is required';
  if (given.course_id !== ground.course.id) return 'unknown course id';
  return { target: { set_type: 'Course', set_id: ground.course.id }, title: ground.course.name };
}

export function judgeNew(given: OverrideGiven, assignment_id: number, ground: OverrideContext): Judgement {
  const base = ground.assignments.find(({ id }) => id === assignment_id);
  if (!base) return refused('assignment not found');
  const chosen = targetOf(given, ground, base.group_category_id);
  if (typeof chosen === 'string') return refused(chosen);
  const { target, title } = chosen;
  const student_ids = [...new Set(target.set_type === 'ADHOC' ? given.student_ids : [])];
  const wrong = target.set_type === 'ADHOC' ? misnamed(student_ids, assignment_id, ground) : undefined;
  if (wrong) return refused(wrong);
  if (
    ground.overrides.some(
      (one) =>
        one.assignment_id === assignment_id &&
        one.set_type === target.set_type &&
        target.set_type !== 'ADHOC' &&
        one.set_id === target.set_id,
    )
  )
    return refused('the assignment already has an override for this target');
  const values = { title, unassign_item: given.unassign_item ?? false, ...dates(given, ground.zone) };
  return misdated(values, base) ?? { kind: 'create', assignment_id, target, values, student_ids };
}

export function judgeChange(given: OverrideGiven, row: OverrideRow, ground: OverrideContext): Judgement {
  const base = ground.assignments.find(({ id }) => id === row.assignment_id);
  if (!base) return refused('assignment not found');
  const student_ids = row.set_type === 'ADHOC' && given.student_ids ? [...new Set(given.student_ids)] : undefined;
  const wrong = student_ids && misnamed(student_ids, row.assignment_id, ground, row.id);
  if (wrong) return refused(wrong);
  const counted = student_ids && isCounted(row.title) ? titleFor(student_ids.length) : row.title;
  const values = {
    title: row.set_type === 'ADHOC' ? given.title || counted : row.title,
    unassign_item: given.unassign_item ?? row.unassign_item,
    ...dates(given, ground.zone),
  };
  return misdated(values, base) ?? { kind: 'update', row, values, student_ids };
}
