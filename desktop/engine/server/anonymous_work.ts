// The work of students who are anonymous to their graders. The feed does not send it, because its order and its deletes would reveal who has
// handed in; so it is read from the list of each assignment. Nothing of it is stored under the id of a student.

import type { AttemptJson, GradedSubmissionJson } from '../model/graded_resources';
import type { AssignmentJson } from '../model/resources';
import type { Cache } from '../store/cache';
import { stored } from '../store/damage';
import { isGradedOnDesk } from './feed';
import { pagesOf } from './paged';
import { Declined, type Session, Troubled } from './session';

export interface AnonymousWork extends Omit<GradedSubmissionJson, 'user_id' | 'submission_history'> {
  readonly anonymous_id: string;
  readonly submission_history?: readonly AttemptJson[];
}

interface Kept {
  readonly at: string;
  readonly work: readonly AnonymousWork[];
}

const noteOf = (assignmentId: number): string => `anonymous work ${assignmentId}`;
const lasts = 10 * 60_000;
const query = 'per_page=100&include[]=submission_comments&include[]=submission_history';

const kept = (cache: Cache, assignmentId: number): Kept | undefined => {
  const text = cache.noted(noteOf(assignmentId));
  return text === undefined ? undefined : stored<Kept>(text);
};

export const anonymousWork = (cache: Cache, assignmentId: number): readonly AnonymousWork[] => kept(cache, assignmentId)?.work ?? [];

interface Asking {
  readonly session: Session;
  readonly cache: Cache;
  readonly now: Date;
  /** Reads the lists even if they were read a moment ago. */
  readonly isDue: boolean;
}

/** Returns whether any have changed. */
export async function fetchAnonymousWork(courses: readonly number[], asking: Asking): Promise<boolean> {
  const { cache } = asking;
  let hasChanged = false;
  for (const courseId of courses) {
    if (!isGradedOnDesk(cache, courseId)) continue;
    for (const { id, anonymize_students, published } of cache.ofCourse<AssignmentJson>('assignment', courseId))
      if (anonymize_students && published !== false && (await refresh(courseId, id, asking))) hasChanged = true;
  }
  return hasChanged;
}

async function refresh(courseId: number, assignmentId: number, { session, cache, now, isDue }: Asking): Promise<boolean> {
  const known = kept(cache, assignmentId);
  const age = known ? now.getTime() - Date.parse(known.at) : Number.NaN;
  if (!isDue && age >= 0 && age < lasts) return false;
  try {
    const work = await ask(session, courseId, assignmentId);
    cache.note(noteOf(assignmentId), JSON.stringify({ at: now.toISOString(), work } satisfies Kept));
    return JSON.stringify(work) !== JSON.stringify(known?.work);
  } catch (problem) {
    // What was read last still holds, and the next sync asks again.
    if (!(problem instanceof Declined || problem instanceof Troubled)) throw problem;
    return false;
  }
}

async function ask(session: Session, courseId: number, assignmentId: number): Promise<AnonymousWork[]> {
  const found: AnonymousWork[] = [];
  const address = `/api/v1/courses/${courseId}/assignments/${assignmentId}/submissions?${query}`;
  for await (const page of pagesOf<AnonymousWork & { readonly user_id?: number }>(session, address))
    for (const { user_id: _, ...work } of page) if (typeof work.anonymous_id === 'string') found.push(work);
  return found;
}
