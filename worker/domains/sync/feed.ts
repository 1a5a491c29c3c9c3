// One page of the feed: what has changed for the caller since the cursor, told as REST would tell it now.

import type { Change, ChangesPage, Kind } from '@carrel/shared/sync/protocol';
import type { CourseContext } from '../../contexts/course';
import { userContext } from '../../contexts/user';
import type { Call } from '../../http/call';
import { Problem } from '../../http/problem';
import type { Plan } from '../../http/serializer';
import { type Backlog, type Cursor, readCursor, writeCursor } from './cursor';
import { planOf } from './kinds';
import { changedParts } from './lens';
import { type Memberships, membershipStatements, membershipsOf } from './memberships';
import { withShowing } from './showing';
import { backlogOf, changesSince, factsOfTheLog, isLost, momentsSince, type Touched } from './window';

const mustRefetch = () => new Problem(409, { error: 'must_refetch' });

/** @throws Problem 409 `must_refetch` for a cursor that cannot be followed */
export async function changesPage(call: Call, given: string | undefined, limit: number): Promise<ChangesPage> {
  const { db, me, now } = call;
  const sent = given === undefined ? undefined : readCursor(given);
  if (given !== undefined && !sent) throw mustRefetch();
  // Without a cursor there is nothing to follow yet: everything is backlog, the caller's own things first.
  const from: Cursor = sent ?? {
    epoch: '',
    seq: Number.MAX_SAFE_INTEGER,
    at: now,
    lenses: {},
    backlog: [{ course_id: 0, after: 0, withDeletes: false, part: 0 }],
  };
  const first = from.backlog[0] ?? { course_id: 0, after: Number.MAX_SAFE_INTEGER, withDeletes: false, part: 0 };
  const [log, changed, moments, backlogged, ...mine] = await db.perform([
    factsOfTheLog(db),
    changesSince(db, me.id, from.seq, limit),
    momentsSince(db, me.id, from.at, now),
    backlogOf(db, me.id, first, limit),
    ...membershipStatements(db, me),
  ]);
  const fact = log[0];
  if (!fact || (sent && isLost(sent, fact))) throw mustRefetch();

  const memberships = membershipsOf(mine, call);
  const { lenses } = memberships;
  const page = changed.slice(0, limit);
  const room = limit - page.length;
  const tail = backlogged.slice(0, room);
  const touched = [...withShowing([...page, ...moments]), ...tail];
  const backlogTail = new Set(tail);
  const told = await tell(call, memberships, touched, (one) => !backlogTail.has(one) || first.withDeletes);
  const lost: Change[] = Object.keys(from.lenses)
    .filter((id) => !(id in lenses))
    .map((id) => ({ kind: 'course', id: Number(id), op: 'delete', course_id: Number(id) }));

  const moreChanges = changed.length > limit;
  const seq = moreChanges ? (page.at(-1) as Touched).seq : fact.newest_seq;
  const backlog = nextBacklog(from, lenses, tail, backlogged.length > tail.length);
  const has_more = moreChanges || backlog.length > 0;
  return {
    epoch: fact.epoch,
    cursor: writeCursor({ epoch: fact.epoch, seq, at: now, lenses, backlog }),
    has_more,
    changes: [...lost, ...told],
  };
}

/** Courses that are new to the client, or that it now sees with other eyes, wait to be told from their beginning. */
function nextBacklog(from: Cursor, lenses: Readonly<Record<string, string>>, tail: readonly Touched[], moreTail: boolean): Backlog[] {
  const [first, ...rest] = from.backlog;
  const going = first && moreTail ? [{ ...first, after: tail.at(-1)?.seq ?? first.after }] : [];
  const fresh = Object.entries(lenses).flatMap(([id, lens]) => {
    const before = from.lenses[id];
    const isNew = before === undefined;
    // The caller's own things are told at first in any case.
    const parts = !isNew ? changedParts(before, lens) : id === '0' ? [] : [0];
    return parts.map((part) => ({ course_id: Number(id), after: 0, withDeletes: !isNew, part }));
  });
  const isOverdone = (one: Backlog) =>
    fresh.some(({ course_id, part }) => course_id === one.course_id && (part === 0 || part === one.part));
  const waiting = [...going, ...rest].filter((one) => String(one.course_id) in lenses && !isOverdone(one));
  return [...waiting, ...fresh];
}

/** The touched items as the caller may see them now: one round trip, whatever their kinds and courses. */
async function tell(
  call: Call,
  { courses, institution }: Memberships,
  touched: readonly Touched[],
  tellsDelete: (one: Touched) => boolean,
): Promise<Change[]> {
  const wanted = new Map<string, { kind: Kind; course: CourseContext | undefined; ids: Set<number> }>();
  for (const { kind, course_id, item_id } of touched) {
    const course = course_id === null ? undefined : courses.get(course_id);
    if (course_id !== null && !course) continue;
    const key = `${kind} ${course_id}`;
    const group = wanted.get(key) ?? { kind: kind as Kind, course, ids: new Set<number>() };
    group.ids.add(item_id);
    wanted.set(key, group);
  }
  const myself = userContext(call.me.user, call.me, call.institution, { observed: false, as_staff: false, as_peer: false });
  const plans = [...wanted].flatMap(([key, { kind, course, ids }]) => {
    const plan = planOf(kind, course ? { ...call, institution, course } : { ...call, user: myself }, [...ids]);
    return plan ? [{ key, plan }] : [];
  });
  const results = await call.db.perform(plans.flatMap(({ plan }) => plan.statements));
  const seen = new Map<string, Map<number, Record<string, unknown>>>();
  let at = 0;
  for (const { key, plan } of plans) {
    seen.set(key, byId(plan, results.slice(at, at + plan.statements.length)));
    at += plan.statements.length;
  }
  const done = new Set<string>();
  return touched.flatMap((one): Change[] => {
    const key = `${one.kind} ${one.course_id}`;
    if (done.has(`${key} ${one.item_id}`)) return [];
    done.add(`${key} ${one.item_id}`);
    const where = one.course_id === null ? {} : { course_id: one.course_id };
    const resource = seen.get(key)?.get(one.item_id);
    if (resource) return [{ kind: one.kind as Kind, id: one.item_id, op: 'upsert', ...where, resource }];
    return tellsDelete(one) ? [{ kind: one.kind as Kind, id: one.item_id, op: 'delete', ...where }] : [];
  });
}

const byId = (plan: Plan<{ id: number }>, results: readonly unknown[]) =>
  new Map(plan.tell(results).map(({ row, json }) => [row.id, json]));
