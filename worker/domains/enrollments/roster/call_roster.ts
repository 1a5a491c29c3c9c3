// Calls the roster of a course from a request, and builds the response.

import { Enrollment } from '@carrel/shared/resources/enrollment';
import { cut } from '@carrel/shared/resources/resource';
import { actorOf } from '../../../contexts/acting';
import type { CourseContext } from '../../../contexts/course';
import type { Call } from '../../../http/call';
import { objectResult } from '../../../live/call_result';
import { besideOf } from '../beside';
import { enrollmentJson } from '../json';
import type { RosterOutcome, RosterRequest } from './roster';

type Calling = Pick<Call, 'db' | 'meter' | 'env' | 'me' | 'now' | 'idempotency'>;

/** The Durable Object that serialises changes to the course's roster. */
export const rosterOf = ({ env }: Pick<Call, 'env'>, course_id: number) =>
  env.COURSE_ROSTER.get(env.COURSE_ROSTER.idFromName(String(course_id)));

export const rosterRequestIn = (course_id: number, { me, now, idempotency }: Calling): RosterRequest => ({
  course_id,
  actor_id: me.id,
  source: actorOf(me).source,
  now,
  idempotency,
});

export const throughRoster = <T>(call: Calling, callResult: Promise<unknown>): Promise<T> => objectResult<T>(call, callResult);

/** JSON of an enrollment returned by the roster. */
export const outcomeJson = ({ row, beside, counted }: RosterOutcome, course: CourseContext, call: Call) =>
  cut(Enrollment, enrollmentJson(row, course, besideOf(beside), call, counted));
