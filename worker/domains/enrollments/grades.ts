// A student's grades in a course, for those who may see them.

import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import type { enrollments } from './table';

type Row = RowOf<typeof enrollments>;

const isGrader = (course: CourseContext) => course.can('manage_grades') || course.can('view_all_grades');

/** Graders, the student unless final grades are hidden, and whoever observes the student. */
const mayRead = (row: Row, course: CourseContext, call: Call): boolean =>
  isGrader(course) ||
  (course.settings.hide_final_grades !== true && (row.user_id === call.me.id || course.observedIds.includes(row.user_id)));

export function gradesJson(row: Row, course: CourseContext, call: Call): object {
  const html_url = `${call.origin}/courses/${row.course_id}/grades/${row.user_id}`;
  if (!mayRead(row, course, call)) return { html_url };
  return {
    html_url,
    current_grade: null,
    current_score: null,
    final_grade: null,
    final_score: null,
    ...(isGrader(course) && {
      unposted_current_grade: null,
      unposted_current_score: null,
      unposted_final_grade: null,
      unposted_final_score: null,
    }),
    ...(call.include.has('current_points') && { current_points: null, ...(isGrader(course) && { unposted_current_points: null }) }),
  };
}
