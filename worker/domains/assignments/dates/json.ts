// All dates of an assignment, with the users named in its overrides.

import { DateDetails } from '@carrel/shared/resources/date_details';
import { and, type SQLWrapper, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import { type RowOf, rows } from '../../../http/listing';
import { embed, serializer } from '../../../http/serializer';
import { users } from '../../users/table';
import { assignmentOverride } from '../overrides/json';
import { seen } from '../overrides/policy';
import { assignment_overrides, assignments } from '../table';
import { moduleOverridesColumn, moduleOverridesJson } from './module_overrides';

type DatesRow = RowOf<typeof assignments> & { readonly of_modules: string | null };

export const dateDetails = serializer({
  resource: DateDetails,
  table: assignments,
  columns: ({ course }): Record<string, SQLWrapper> => ({
    of_modules: (course ? moduleOverridesColumn(course) : sql<string | null>`null`).as('of_modules'),
  }),
  also: (ids, call) => {
    const ofThese = sql`select id from assignment_overrides where ${isInSelect(sql`assignment_id`, ids)} and workflow_state = 'active'`;
    return {
      overrides: call.course
        ? embed(
            assignmentOverride,
            rows(assignment_overrides, { where: and(isInSelect(assignment_overrides.assignment_id, ids), seen(call.course, call)) }),
          )
        : undefined,
      people: call.db.build
        .select({ id: users.id, name: users.name })
        .from(users)
        .where(
          isInSelect(
            users.id,
            sql`select user_id from assignment_override_students where ${isInSelect(sql`assignment_override_id`, ofThese)}`,
          ),
        ),
    };
  },
  json: (row: DatesRow, _, { overrides = [], people }) => ({
    ...row,
    visible_to_everyone: !row.only_visible_to_overrides,
    graded: row.grading_type !== 'not_graded',
    overrides: [
      ...overrides.map(({ json }) => ({
        ...json,
        ...(json.student_ids && { students: people.filter(({ id }) => json.student_ids?.includes(id)) }),
      })),
      ...moduleOverridesJson(row.of_modules ?? '[]', row.id),
    ],
  }),
});
