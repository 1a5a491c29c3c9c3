// The students of an assignment, the work that is open, and the next ones loaded ahead.

import { useEffect, useMemo } from 'react';
import type { GradingView } from '../../contract/gradebook.ts';
import { type LiveValue, loadAhead, useLive } from '../live.ts';
import { type Neighbours, neighboursOf, type QueuedStudent } from './next.ts';

export interface GradingPlace {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly user_id: number;
}

export function useGrading(place: GradingPlace, students: readonly QueuedStudent[]): LiveValue<GradingView | null> & Neighbours {
  const { course_id, assignment_id, user_id } = place;
  const live = useLive('courses', 'grading.open', { course_id, assignment_id, user_id });
  const neighbours = useMemo(() => neighboursOf(students, user_id), [students, user_id]);
  const { previous, next, toGrade } = neighbours;
  const isOpen = live.value !== undefined;
  const wanted = [next, toGrade, previous].map((student) => student?.user_id ?? '').join();
  useEffect(() => {
    if (!isOpen) return;
    for (const id of new Set(wanted.split(',').filter(Boolean).map(Number)))
      void ahead({ course_id, assignment_id, user_id: id }).catch(() => undefined);
  }, [isOpen, course_id, assignment_id, wanted]);
  return { ...live, ...neighbours };
}

/** The work of a student, and the first file that would be shown. */
async function ahead(place: GradingPlace) {
  const view = await loadAhead('grading.open', { ...place });
  const file = view?.attempts[0]?.files[0];
  if (file?.is_here) await loadAhead('reader.open', { kind: 'file', course_id: place.course_id, id: file.id });
}
