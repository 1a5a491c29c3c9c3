// Buckets of assignments in the order of their positions: a course is walked among its own that are past, ahead or without a date.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { ascending, type Way } from '../../http/listing';

/** Where along the places of a course a bucket lies. */
export interface Stretch {
  readonly column: 'due_state' | 'is_handed_in';
  readonly value: string | number;
}

const indexes = { due_state: 'assignment_places_by_due_state', is_handed_in: 'assignment_places_by_hand_in' } as const;

/** The order of the places, which is that of their groups and in each that of its assignments. */
export const placeOrder = ascending(
  ...['group_position', 'assignment_group_id', 'position', 'assignment_id'].map((column) => sql.raw(`place.${column}`)),
);

/** The places of a course, or of one of its groups. */
export interface Ground {
  readonly course_id: number;
  readonly groupId: number | undefined;
}

const within = ({ course_id, groupId }: Ground): SQL =>
  sql`place.course_id = ${course_id}${
    groupId === undefined
      ? sql``
      : sql` and place.group_position = (select g.position from assignment_groups g where g.id = ${groupId}) and place.assignment_group_id = ${groupId}`
  } and assignments.id = place.assignment_id`;

const way = (from: SQL, ground: Ground, where: SQL, chosen: SQL | undefined): Way => ({
  from: sql`${from} cross join assignments`,
  where: sql`${where} and ${within(ground)} and ${chosen ?? sql`1`}`,
});

export const alongPlaces = ({ column, value }: Stretch, ground: Ground, chosen: SQL | undefined): Way =>
  way(sql`assignment_places place indexed by ${sql.raw(indexes[column])}`, ground, sql`place.${sql.raw(column)} = ${value}`, chosen);

const ahead = sql`assignment_places place indexed by assignment_places_ahead_in_course`;

/** Those that have fallen due since the clock last went over them. */
export const fallenDue = (now: string, ground: Ground, chosen: SQL | undefined): Way =>
  way(ahead, ground, sql`place.due_state = 'ahead' and place.due_at < ${now}`, chosen);

export const dueBetween = (from: string, to: string, ground: Ground, chosen: SQL | undefined): Way =>
  way(ahead, ground, sql`place.due_state = 'ahead' and place.due_at >= ${from} and place.due_at <= ${to}`, chosen);

/** @param ids a select of `assignment_id` that finds few */
export const amongFew = (ids: SQL, ground: Ground, chosen: SQL | undefined): Way =>
  way(
    sql`(select distinct assignment_id as few_id from (${ids})) few cross join assignment_places place`,
    ground,
    sql`place.assignment_id = few.few_id`,
    chosen,
  );

const atOnce = 1000;

/** What has fallen due is past from here on. Who reads before the clock has come by sees for himself. */
export const passDueDates = ({ build }: Database, now: string): Statement[] => [
  build.all(
    sql`update assignment_places set due_state = 'past' where assignment_id in (select assignment_id from assignment_places indexed by assignment_places_ahead where due_state = 'ahead' and due_at < ${now} limit ${atOnce})`,
  ),
];
