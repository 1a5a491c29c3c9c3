// Assignments as clients see them.

import { Assignment } from '@carrel/shared/resources/assignment';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { assignments } from './table';

export type AssignmentRow = RowOf<typeof assignments>;

export const assignment = serializer<AssignmentRow, typeof Assignment>({ resource: Assignment, table: assignments, json: (row) => row });
