// What graders need of a course and the feed does not send: its sections, its grading schemes, and who is assigned what. Requested
// again when the feed shows that it may have changed, and once a day.

import { createHash } from 'node:crypto';
import type { AssignmentJson, CourseJson } from '../model/resources';
import type { Cache } from '../store/cache';
import { stored } from '../store/damage';
import { isGradedOnDesk } from './feed';
import { pagesOf } from './paged';
import { Declined, type Session, Troubled } from './session';

export interface StandardJson {
  readonly id: number;
  readonly points_based?: boolean;
  readonly scaling_factor?: number;
  readonly grading_scheme: readonly { readonly name: string; readonly value: number }[];
}

export interface GradingFacts {
  readonly sections: readonly { readonly id: number; readonly name: string }[];
  readonly standards: readonly StandardJson[];
  /** Of assignments that are not the same for all: the students to whom they are assigned, with their due dates. */
  readonly assigned: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  /** Groups by their set, of the sets in which groups are graded as one. */
  readonly groups?: Readonly<Record<string, readonly TeamGradedAsOne[]>>;
}

export interface TeamGradedAsOne {
  readonly id: number;
  readonly name: string;
  readonly user_ids: readonly number[];
}

interface Kept extends GradingFacts {
  readonly of: string;
  readonly at: string;
}

const none: GradingFacts = { sections: [], standards: [], assigned: {} };
const aDay = 24 * 3_600_000;
/** In one request for due dates. */
const mostAssignments = 20;

const noteOf = (courseId: number): string => `grading facts ${courseId}`;

const kept = (cache: Cache, courseId: number): Kept | undefined => {
  const text = cache.noted(noteOf(courseId));
  return text === undefined ? undefined : stored<Kept>(text);
};

export const gradingFacts = (cache: Cache, courseId: number): GradingFacts => kept(cache, courseId) ?? none;

/** The set of groups that are graded as one. */
export const gradedGroupSet = ({ group_category_id, grade_group_students_individually }: AssignmentJson): number | undefined =>
  group_category_id == null || grade_group_students_individually ? undefined : group_category_id;

const differs = ({ only_visible_to_overrides, has_overrides }: AssignmentJson): boolean =>
  only_visible_to_overrides === true || has_overrides === true;

/** Returns whether anything was requested. */
export async function fetchGradingFacts(session: Session, cache: Cache, courses: readonly number[], now: Date): Promise<boolean> {
  let isAsked = false;
  for (const id of courses) {
    if (!isGradedOnDesk(cache, id) || !cache.get('course', id)) continue;
    const of = stateOf(cache, id);
    const known = kept(cache, id);
    const age = known ? now.getTime() - Date.parse(known.at) : Number.NaN;
    if (known?.of === of && age >= 0 && age < aDay) continue;
    try {
      const facts = await ask(session, cache, id);
      cache.note(noteOf(id), JSON.stringify({ ...facts, of, at: now.toISOString() } satisfies Kept));
      isAsked = true;
    } catch (problem) {
      // The last ones still hold, and the next sync asks again.
      if (!(problem instanceof Declined || problem instanceof Troubled)) throw problem;
    }
  }
  return isAsked;
}

function stateOf(cache: Cache, courseId: number): string {
  const assignments = cache.ofCourse<AssignmentJson>('assignment', courseId);
  const different = assignments.filter(differs).map(({ id, updated_at, due_at }) => [id, updated_at, due_at]);
  const standards = [cache.get<CourseJson>('course', courseId)?.grading_standard_id, ...assignments.map((one) => one.grading_standard_id)];
  const sets = assignments.map(gradedGroupSet);
  const people = cache.students.enrollments(courseId).map(({ user_id, course_section_id }) => [user_id, course_section_id]);
  return createHash('sha256')
    .update(JSON.stringify([different, standards, people, sets]))
    .digest('hex');
}

async function ask(session: Session, cache: Cache, courseId: number): Promise<GradingFacts> {
  const at = `/api/v1/courses/${courseId}`;
  const sections = await all<GradingFacts['sections'][number]>(session, `${at}/sections?per_page=100`);
  const standards = await all<StandardJson>(session, `${at}/grading_standards?per_page=100`);
  const different = cache.ofCourse<AssignmentJson>('assignment', courseId).filter(differs);
  const assigned: Record<string, Record<string, string | null>> = {};
  for (let from = 0; from < different.length; from += mostAssignments) {
    const ids = different.slice(from, from + mostAssignments).map(({ id }) => `assignment_ids[]=${id}`);
    type Dates = Readonly<Record<string, Readonly<Record<string, { readonly due_at: string | null }>>>>;
    const dates = await session.json<Dates>(`${at}/effective_due_dates?${ids.join('&')}`, { mayBeEmpty: true });
    for (const { id } of different.slice(from, from + mostAssignments)) assigned[id] = {};
    for (const [id, students] of Object.entries(dates))
      assigned[id] = Object.fromEntries(Object.entries(students).map(([user, { due_at }]) => [user, due_at]));
  }
  const groups: Record<string, TeamGradedAsOne[]> = {};
  for (const set of new Set(cache.ofCourse<AssignmentJson>('assignment', courseId).flatMap((one) => gradedGroupSet(one) ?? []))) {
    const found = await all<{ id: number; name: string; users?: readonly { id: number }[] }>(
      session,
      `/api/v1/group_categories/${set}/groups?include[]=users&per_page=50`,
    );
    groups[set] = found.map(({ id, name, users = [] }) => ({ id, name, user_ids: users.map((user) => user.id) }));
  }
  return {
    groups,
    sections: sections.map(({ id, name }) => ({ id, name })),
    standards: standards.map(({ id, points_based, scaling_factor, grading_scheme }) => ({
      id,
      points_based,
      scaling_factor,
      grading_scheme,
    })),
    assigned,
  };
}

async function all<T>(session: Session, address: string): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pagesOf<T>(session, address)) found.push(...page);
  return found;
}
