// An assignment in the feed.

import { rows } from '../../http/listing';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { assignment } from './json';
import { visibleAssignments } from './policy';
import { assignments } from './table';

export const assignmentSynced: SyncedKind = {
  kind: 'assignment',
  serializer: assignment,
  home: homeByCourse('assignments'),
  listing: listedInCourse((course, call) => rows(assignments, { where: visibleAssignments(course, call) })),
};
