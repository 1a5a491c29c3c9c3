// Favorites: every endpoint, in the order of the API reference.

import { Favorite, FavoritesReset } from '@carrel/shared/resources/favorite';
import { bool, int, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { idOf } from '../../contexts/references';
import type { Call } from '../../http/call';
import { del, get, post } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { all, answer, write } from '../../http/reply';
import { listInclude } from '../courses/include_names';
import { course } from '../courses/json';
import { courseNameFor, notBlueprint } from '../courses/policy';
import { courses, favorites } from '../courses/table';
import { group, groupIncludes } from '../groups/json';
import { groups } from '../groups/table';
import { favoriteIds, isFavorite, isFavoriteGroup, keepDefaults, keepGroups } from './policy';

export const about = { title: 'Favorites', description: 'Courses and groups that a user has starred.' };

const ofCourses = '/users/self/favorites/courses';
const ofGroups = '/users/self/favorites/groups';
const reset = { status: 'ok', message: 'OK' };

/** Courses in which the caller observes a student. */
const observing = (me: number, observed: string | undefined) =>
  observed === undefined
    ? undefined
    : sql`${courses.id} in (select e.course_id from enrollments e where e.user_id = ${me} and e.observed_user_id = (${idOf('user', observed)}) and e.enrollment_state in ('active', 'invited'))`;

const mine = (user_id: number, type: 'Course' | 'Group') => and(eq(favorites.user_id, user_id), eq(favorites.context_type, type));

const favor = (context_type: 'Course' | 'Group', context_id: number, { db, me, now }: Pick<Call, 'db' | 'me' | 'now'>) =>
  write(
    [db.build.insert(favorites).values({ user_id: me.id, context_type, context_id, created_at: now }).onConflictDoNothing()],
    answer({ context_id, context_type }),
  );

export const favoriteRoutes = [
  get(
    ofCourses,
    {
      can: 'user',
      params: {
        exclude: optional(listOf(text)),
        exclude_blueprint_courses: optional(bool),
        observed_user: optional(text),
        observed_user_id: optional(referenceTo('user')),
        sort: optional(text),
        teacher_limit: optional(int),
      },
      include: listInclude,
      returns: [course],
      summary: 'List favorite courses',
    },
    ({ me, now, params }) =>
      all(
        rows(courses, {
          where: and(
            isFavorite(me.id, now),
            notBlueprint(params.exclude_blueprint_courses),
            observing(me.id, params.observed_user ?? params.observed_user_id),
          ),
          order: ascending(courseNameFor(me.id), courses.id),
        }),
      ),
  ),

  get(ofGroups, { can: 'user', include: groupIncludes, returns: [group], summary: 'List favorite groups' }, ({ me }) =>
    all(rows(groups, { where: isFavoriteGroup(me.id), order: ascending(groups.name, groups.id) })),
  ),

  post(`${ofCourses}/:course_id`, { can: 'read', returns: { json: Favorite }, summary: 'Add a course to favorites' }, (call) =>
    favor('Course', call.course.id, call),
  ),

  post(`${ofGroups}/:group_id`, { can: 'read', returns: { json: Favorite }, summary: 'Add a group to favorites' }, (call) =>
    favor('Group', call.group.id, call),
  ),

  del(
    `${ofCourses}/:course_id`,
    { can: 'user', returns: { json: Favorite }, summary: 'Remove a course from favorites' },
    async ({ db, me, course: it, now }) => {
      const [found] = await db.perform([
        db.build.all<{ id: number }>(sql`select id from (${favoriteIds(me.id, now)}) where id = ${it.id}`),
      ]);
      return write(
        [
          db.build.run(keepDefaults(me.id, now)),
          db.build.delete(favorites).where(and(mine(me.id, 'Course'), eq(favorites.context_id, it.id))),
        ],
        answer(found.length > 0 ? { context_id: it.id, context_type: 'Course' } : {}),
      );
    },
  ),

  // Without favorites, all groups count as favorites: they are stored as chosen before one is removed.
  del(
    `${ofGroups}/:group_id`,
    { can: 'read', returns: { json: Favorite }, summary: 'Remove a group from favorites' },
    async ({ db, me, group: it, now }) => {
      const [found] = await db.perform([
        db.build
          .select({ id: groups.id })
          .from(groups)
          .where(and(isFavoriteGroup(me.id), eq(groups.id, it.id))),
      ]);
      return write(
        [
          db.build.run(keepGroups(me.id, now)),
          db.build.delete(favorites).where(and(mine(me.id, 'Group'), eq(favorites.context_id, it.id))),
        ],
        answer(found.length > 0 ? { context_id: it.id, context_type: 'Group' } : {}),
      );
    },
  ),

  del(ofCourses, { can: 'user', returns: { json: FavoritesReset }, summary: 'Reset course favorites' }, ({ db, me }) =>
    write([db.build.delete(favorites).where(mine(me.id, 'Course'))], answer(reset)),
  ),

  del(ofGroups, { can: 'user', returns: { json: FavoritesReset }, summary: 'Reset group favorites' }, ({ db, me }) =>
    write([db.build.delete(favorites).where(mine(me.id, 'Group'))], answer(reset)),
  ),
];
