// What clients see of a student's course progress (reference of the API: Courses, bulk_user_progress).

import { CourseProgress } from './course';
import { resource } from './resource';
import { UserDisplay } from './user_display';

export const StudentProgress = resource('StudentProgress', { ...UserDisplay.fields, progress: CourseProgress.field });
