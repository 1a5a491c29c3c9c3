// A course in the feed, with its term and grading periods.

import { rows } from '../../http/listing';
import { listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { course as courseJson } from './json';
import { itself } from './policy';
import { courses } from './table';

export const courseSynced: SyncedKind = {
  kind: 'course',
  serializer: courseJson,
  home: (item) => item,
  include: ['term', 'syllabus_body', 'grading_periods'],
  listing: listedInCourse((course) => rows(courses, { where: itself(course) })),
};
