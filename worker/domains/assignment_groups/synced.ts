// An assignment group in the feed.

import { rows } from '../../http/listing';
import { listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { assignmentGroup } from './json';
import { presentAssignmentGroups } from './policy';
import { assignment_groups } from './table';

export const assignmentGroupSynced: SyncedKind = {
  kind: 'assignment_group',
  serializer: assignmentGroup,
  listing: listedInCourse((course) => rows(assignment_groups, { where: presentAssignmentGroups(course) })),
};
