// The effective state of an enrollment: its stored state with dates applied (reference 02 §4.6).

import { type EnrollmentState, type EnrollmentType, staffTypes } from '../domains/enrollments/table';
import type { TermOverrides } from '../domains/terms/table';

export type EffectiveState = EnrollmentState | 'pending_active' | 'pending_invited';

export interface DatedEnrollment {
  readonly type: EnrollmentType;
  readonly enrollment_state: EnrollmentState;
  readonly start_at: string | null;
  readonly end_at: string | null;
}
export interface DatedSection {
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly restrict_enrollments_to_section_dates: boolean | null;
}
export interface DatedCourse {
  readonly workflow_state: string;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly restrict_enrollments_to_course_dates: boolean;
}
export interface DatedTerm {
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly overrides: TermOverrides;
}

type Range = readonly [start: string | null, end: string | null];

function termRange(type: EnrollmentType, term: DatedTerm): Range {
  const override = term.overrides[type];
  return [override?.start_at ?? (staffTypes.has(type) ? null : term.start_at), override?.end_at ?? term.end_at];
}

function ranges(enrollment: DatedEnrollment, section: DatedSection, course: DatedCourse, term: DatedTerm): Range[] {
  const byTerm = termRange(enrollment.type, term);
  const alsoTerm = staffTypes.has(enrollment.type) ? [byTerm] : [];
  if (enrollment.start_at && enrollment.end_at) return [[enrollment.start_at, enrollment.end_at]];
  if (section.restrict_enrollments_to_section_dates) return [[section.start_at, section.end_at], ...alsoTerm];
  if (course.restrict_enrollments_to_course_dates) return [[course.start_at, course.end_at], ...alsoTerm];
  return [byTerm];
}

/** When a student's access through this enrollment ends; null if dates do not end it. */
export const accessEnd = (enrollment: DatedEnrollment, section: DatedSection, course: DatedCourse, term: DatedTerm): string | null =>
  ranges(enrollment, section, course, term)[0]?.[1] ?? null;

/** The effective state at `now`; only invited and active enrollments depend on dates. */
export function effectiveState(
  enrollment: DatedEnrollment,
  section: DatedSection,
  course: DatedCourse,
  term: DatedTerm,
  now: string,
): EffectiveState {
  const stored = enrollment.enrollment_state;
  if (stored !== 'active' && stored !== 'invited') return stored;
  if (course.workflow_state === 'completed') return 'completed';
  const spans = ranges(enrollment, section, course, term);
  if (spans.some(([start, end]) => (start === null || start <= now) && (end === null || now <= end))) return stored;
  const known = spans.flat().filter((at): at is string => at !== null);
  if (known.length === 0) return stored;
  const earliest = known.reduce((a, b) => (a < b ? a : b));
  if (earliest < now) return 'completed';
  if (enrollment.type === 'StudentViewEnrollment') return stored;
  if (staffTypes.has(enrollment.type)) return 'inactive';
  return stored === 'active' ? 'pending_active' : 'pending_invited';
}
