// Assignments by bucket in the order of their positions: a course's assignments are walked as past, upcoming or undated.

import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { countUpTo } from '../../database/retention';
import { type AccessPath, ascending } from '../../http/listing';
import type { Walk } from '../../http/scan_window';
import { assignment_places } from '../assignments/table';

/** The due state that the places of a course are indexed by. */
export type DueState = 'ahead' | 'past' | 'undated';

const place = alias(assignment_places, 'place');
/** Sort order: the position of the group, then of the assignment within it. */
export const placeOrder = ascending(place.group_position, place.assignment_group_id, place.position, place.assignment_id);

/** The places of a course, or of one of its groups. */
export interface PositionContext {
  readonly course_id: number;
  readonly groupId: number | undefined;
}

const onGround = ({ course_id, groupId }: PositionContext): SQL =>
  sql`place.course_id = ${course_id}${
    groupId === undefined
      ? sql``
      : sql` and place.group_position = (select g.position from assignment_groups g where g.id = ${groupId}) and place.assignment_group_id = ${groupId}`
  }`;
const within = (ground: PositionContext): SQL => sql`${onGround(ground)} and assignments.id = place.assignment_id`;

const way = (from: SQL, ground: PositionContext, where: SQL, chosen: SQL | undefined): AccessPath => ({
  from: sql`${from} cross join assignments`,
  where: sql`${where} and ${within(ground)} and ${chosen ?? sql`1`}`,
});

export const alongPlaces = (state: DueState, ground: PositionContext, chosen: SQL | undefined): AccessPath =>
  way(sql`assignment_places place indexed by assignment_places_by_due_state`, ground, sql`place.due_state = ${state}`, chosen);

const walk = (index: string, where: SQL): Walk => ({
  from: sql`assignment_places place indexed by ${sql.raw(index)}`,
  join: sql` cross join assignments on assignments.id = place.assignment_id`,
  where,
  order: placeOrder,
  id: sql`place.assignment_id`,
});
export const everyPlace = (ground: PositionContext): Walk => walk('assignment_places_in_course', onGround(ground));
/** Assignments without any submission. */
export const untouchedPlaces = (ground: PositionContext): Walk =>
  walk('assignment_places_by_hand_in', sql`place.is_handed_in = 0 and ${onGround(ground)}`);

const ahead = sql`assignment_places place indexed by assignment_places_ahead_in_course`;

/** Assignments that have become due since the scheduled run last updated the places. */
export const fallenDue = (now: string, ground: PositionContext, chosen: SQL | undefined): AccessPath =>
  way(ahead, ground, sql`place.due_state = 'ahead' and place.due_at < ${now}`, chosen);

export const dueBetween = (from: string, to: string, ground: PositionContext, chosen: SQL | undefined): AccessPath =>
  way(ahead, ground, sql`place.due_state = 'ahead' and place.due_at >= ${from} and place.due_at <= ${to}`, chosen);

/** @param ids a select of `assignment_id` that returns few rows */
export const amongFew = (ids: SQL, ground: PositionContext, chosen: SQL | undefined): AccessPath =>
  way(
    sql`(select distinct assignment_id as few_id from (${ids})) few cross join assignment_places place`,
    ground,
    sql`place.assignment_id = few.few_id`,
    chosen,
  );

const atOnce = 1000;

/**
 * Marks assignments whose due date has passed. Requests before the scheduled run compare the date themselves (`fallenDue`).
 * @returns how many are left, as far as they were counted
 */
export async function passDueDates(db: Database, now: string): Promise<number> {
  const fallen = sql`from assignment_places indexed by assignment_places_ahead where due_state = 'ahead' and due_at < ${now}`;
  const [, counted] = await db.perform([
    db.build.all(
      sql`update assignment_places set due_state = 'past' where assignment_id in (select assignment_id ${fallen} limit ${atMost(atOnce)})`,
    ),
    countUpTo(db, fallen),
  ]);
  return counted[0]?.count ?? 0;
}
