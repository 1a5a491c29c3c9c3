// One page of the feed: the caller's changes since the cursor, serialised as REST would return them now.

import { type Change, type ChangesPage, type Kind, kinds, type MustRefetch, type RefetchReason } from '@carrel/shared/sync/protocol';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { CourseContext } from '../../contexts/course';
import { userContext } from '../../contexts/user';
import type { Call } from '../../http/call';
import { found, Problem } from '../../http/problem';
import type { Plan } from '../../http/serializer';
import { staffTypes } from '../enrollments/table';
import { type Backlog, type Cursor, type Home, readCursor, writeCursor } from './cursor';
import { type FeedRow, feedPlanOf, withheldOf } from './kinds';
import { type Memberships, membershipStatements, membershipsOf } from './memberships';
import { announced, changedParts, forStaff } from './visibility_key';
import {
  backlogsOf,
  changesSince,
  factsOfTheLog,
  type LoggedChange,
  placeOfAnnounced,
  placeOfStaff,
  scheduledChangesSince,
  type WaitingChange,
  whyLost,
  withShowing,
} from './window';

const mustRefetch = (reason: RefetchReason) => new Problem(409, { error: 'must_refetch', reason } satisfies MustRefetch);

/** @throws Problem 409 `must_refetch` for an unusable cursor */
export async function changesPage(call: Call, given: string | undefined, limit: number): Promise<ChangesPage> {
  const { db, me, now } = call;
  const sent = given === undefined ? undefined : readCursor(given);
  if (given !== undefined && !sent) throw mustRefetch('unreadable');
  // Without a cursor everything is backlog.
  const { seq: since, at } = sent ?? { seq: Number.MAX_SAFE_INTEGER, at: now };
  const read = () =>
    db.perform([
      factsOfTheLog(db, sent?.newest ?? 0),
      changesSince(db, me.id, since, limit),
      scheduledChangesSince(db, me.id, at, now),
      ...backlogsOf(db, me.id, sent?.backlog, limit),
      ...membershipStatements(db, me, now),
    ]);
  const lostBy = (log: Awaited<ReturnType<typeof read>>[0]) => sent && log[0] && whyLost(sent, log[0], now);
  let results = await read();
  // A replica may lag behind the cursor, so only the primary can detect that the log was replaced.
  if (lostBy(results[0])) {
    db.continueFrom('first-primary');
    results = await read();
  }
  const [log, changed, scheduled, walked, own, ...mine] = results;
  const reason = lostBy(log);
  if (reason) throw mustRefetch(reason);
  const fact = found(log[0]);

  const memberships = membershipsOf(mine, call);
  const { lenses } = memberships;
  const page = changed.slice(0, limit);
  const waiting = walkOf(walked, own);
  const tail = waiting.slice(0, endOfPage(waiting, limit - page.length));
  const touched = [...withShowing([...page, ...scheduled]), ...tail];
  const hushed = new Set<LoggedChange>(tail.filter(({ place }) => !sent?.backlog[place]?.withDeletes));
  const result = await tell(call, memberships, touched, (one) => !hushed.has(one));
  const lost: Change[] = Object.keys(sent?.lenses ?? {})
    .filter((id) => !Object.hasOwn(lenses, id))
    .map((id) => lostHome(Number(id)));

  const moreChanges = changed.length > limit;
  const seq = moreChanges ? (page.at(-1) as LoggedChange).seq : fact.newest_seq;
  const backlog = nextBacklog(sent, memberships, tail, waiting[tail.length]?.place);
  const has_more = moreChanges || backlog.length > 0;
  return {
    epoch: fact.epoch,
    cursor: writeCursor({ epoch: fact.epoch, seq, at: now, lenses, backlog, newest: fact.newest_seq, mark: fact.newest_mark ?? '' }),
    has_more,
    changes: [...lost, ...result],
  };
}

/** Limits the statements per request: each kind in each course or group needs one of its own. */
const mostPlaces = 8;

const walkOf = (...parts: readonly (readonly WaitingChange[])[]): WaitingChange[] =>
  parts.flat().sort((a, b) => a.place - b.place || a.seq - b.seq);

function endOfPage(waiting: readonly WaitingChange[], room: number): number {
  const places = new Set<number>();
  const end = waiting.slice(0, room).findIndex(({ place }) => places.add(place).size > mostPlaces);
  return end === -1 ? Math.min(waiting.length, room) : end;
}

const isStaffIn = (course: CourseContext | undefined): boolean =>
  course?.mine.some(({ type, enrollment_state }) => staffTypes.has(type) && ['active', 'completed'].includes(enrollment_state)) ?? false;

/** The place of a backlog in the walk without a cursor. */
const firstPlaceOf = ({ home, part }: Backlog): number => {
  if (home === 0) return part === announced ? placeOfAnnounced : home;
  return part === forStaff ? placeOfStaff(home) : home;
};

/**
 * The remaining backlog: the rest of the previous one, then courses and groups that are new to the client or whose visibility key has changed.
 * @param next where the page ended, if it ended before the walk
 */
function nextBacklog(
  sent: Cursor | undefined,
  { courses, lenses }: Memberships,
  tail: readonly WaitingChange[],
  next: number | undefined,
): Backlog[] {
  const begin = { after: 0, withDeletes: false } as const;
  /** The first part, and what only staff see. */
  const allOf = (home: number): number[] => (isStaffIn(courses.get(home)) ? [0, forStaff] : [0]);
  const everything: Backlog[] = [
    ...Object.keys(lenses).flatMap((id) => allOf(Number(id)).map((part) => ({ ...begin, home: Number(id), part }))),
    { ...begin, home: 0, part: announced },
  ];
  const rest = (sent?.backlog ?? everything).flatMap((one, at): Backlog[] => {
    const place = sent ? at : firstPlaceOf(one);
    if (next === undefined || place < next) return [];
    return [{ ...one, after: tail.findLast((told) => told.place === place)?.seq ?? one.after }];
  });
  if (!sent) return rest;
  const fresh = Object.entries(lenses).flatMap(([id, visibilityKey]) => {
    const before = lookUp(sent.lenses, id);
    const isNew = before === undefined;
    const parts = isNew ? [0] : changedParts(before, visibilityKey);
    return (parts[0] === 0 ? allOf(Number(id)) : parts).map((part) => ({ home: Number(id), after: 0, withDeletes: !isNew, part }));
  });
  const isOverdone = (one: Backlog) => fresh.some(({ home, part }) => home === one.home && (part === 0 || part === one.part));
  return [...rest.filter((one) => Object.hasOwn(lenses, String(one.home)) && !isOverdone(one)), ...fresh];
}

/** The changed items as the caller may see them now: one round trip, regardless of kinds and courses. */
async function tell(
  call: Call,
  { courses, groups, institution }: Memberships,
  touched: readonly LoggedChange[],
  tellsDelete: (one: LoggedChange) => boolean,
): Promise<Change[]> {
  const wanted = new Map<string, { kind: Kind; standing: object; ids: Set<number> }>();
  const myself = userContext(call.me.user, call.me, call.institution, {
    observed: false,
    observed_somewhere: false,
    as_staff: false,
    as_peer: false,
  });
  const standingIn = (home: Home | null): object | undefined => {
    if (home === null) return { user: myself };
    const place = home < 0 ? { group: groups.get(-home) } : { course: courses.get(home) };
    return (place.group ?? place.course) && { institution, ...place };
  };
  for (const { kind, home, item_id } of touched) {
    const standing = standingIn(home);
    if (!standing) continue;
    const key = `${kind} ${home}`;
    const some = wanted.get(key) ?? { kind: kind as Kind, standing, ids: new Set<number>() };
    some.ids.add(item_id);
    wanted.set(key, some);
  }
  const plans = [...wanted].flatMap(([key, { kind, standing, ids }]) => {
    const plan = feedPlanOf(kind, { ...call, ...standing }, [...ids]);
    return plan ? [{ key, plan }] : [];
  });
  const results = await call.db.perform(plans.flatMap(({ plan }) => plan.statements));
  const seen = new Map<string, ReturnType<typeof byId>>();
  let at = 0;
  for (const { key, plan } of plans) {
    seen.set(key, byId(plan, results.slice(at, at + plan.statements.length)));
    at += plan.statements.length;
  }
  const done = new Set<string>();
  const changes = touched.flatMap((one): Change[] => {
    const key = `${one.kind} ${one.home}`;
    if (done.has(`${key} ${one.item_id}`)) return [];
    done.add(`${key} ${one.item_id}`);
    const where = placeOf(one.home);
    const shown = seen.get(key)?.get(one.item_id);
    const withheld = shown && withheldOf(shown.row, shown.json);
    if (shown && !withheld) return [{ kind: one.kind as Kind, id: one.item_id, op: 'upsert', ...where, resource: shown.json }];
    return tellsDelete(one) ? [{ kind: one.kind as Kind, id: one.item_id, op: 'delete', ...where, ...(withheld && { withheld }) }] : [];
  });
  return changes.sort(byPlaceAndKind);
}

/** The fields that identify an item's context. */
const placeOf = (home: Home | null) => (home === null ? {} : home < 0 ? { group_id: -home } : { course_id: home });

/** A course or group that the caller has left, with everything in it. */
const lostHome = (home: Home): Change => ({ kind: home < 0 ? 'group' : 'course', id: Math.abs(home), op: 'delete', ...placeOf(home) });

/** Sorted, because the order of the log would reveal when a hidden item was moved to a visible place. */
const byPlaceAndKind = (a: Change, b: Change): number =>
  (a.course_id ?? 0) - (b.course_id ?? 0) ||
  (a.group_id ?? 0) - (b.group_id ?? 0) ||
  kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
  a.id - b.id;

const byId = (plan: Plan<FeedRow>, results: readonly unknown[]) => new Map(plan.tell(results).map((told) => [told.row.id, told]));
