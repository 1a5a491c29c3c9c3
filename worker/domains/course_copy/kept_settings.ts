// Which settings a copy leaves as they are, because the user who starts it may not change them. Pure.

import type { CourseContext } from '../../contexts/course';
import { updatesCourse } from '../../contexts/rights';
import type { KeptSettings } from './table';

/** Over any other choice. @param course the target */
export const settingsLeftAlone = (course: CourseContext | undefined): KeptSettings =>
  updatesCourse(course)
    ? {
        ...(!course?.can('manage_course_visibility') && { keepsVisibility: true }),
        ...(!course?.can('manage_grades') && { keepsGrading: true }),
      }
    : { settings: false };
