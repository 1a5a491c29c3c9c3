// One page of the feed: the caller's changes since the cursor, serialised as REST would return them now.

import { type Change, type ChangesPage, type Kind, kinds, type MustRefetch, type RefetchReason } from '@carrel/shared/sync/protocol';
import { userContext } from '../../contexts/user';
import type { Call } from '../../http/call';
import { found, Problem } from '../../http/problem';
import type { Plan } from '../../http/serializer';
import { type Home, readCursor, writeCursor } from './cursor';
import { gradedPage } from './graded_page';
import type { GradedChange } from './graded_walks';
import { changedItems, mayKnow, touchedWork } from './graded_work';
import { type FeedRow, feedPlanOf, withheldOf } from './kinds';
import { type MembershipRows, type Memberships, membershipStatements, membershipsOf } from './memberships';
import { coursesToReset, nextBacklog } from './next_backlog';
import {
  backlogsOf,
  changesSince,
  factsOfTheLog,
  type LoggedChange,
  scheduledChangesSince,
  type WaitingChange,
  whyLost,
  withShowing,
} from './window';

const mustRefetch = (reason: RefetchReason) => new Problem(409, { error: 'must_refetch', reason } satisfies MustRefetch);

/** A change in the log, or one in the scope of a student whose work the caller grades. */
interface FoundChange {
  readonly seq: number;
  readonly own?: LoggedChange;
  readonly graded?: GradedChange;
}

/** Both in order, and where the page ends: never between two with the same number. */
function pageOf(own: readonly LoggedChange[], graded: readonly GradedChange[], limit: number) {
  const all: FoundChange[] = [
    ...own.map((one) => ({ seq: one.seq, own: one })),
    ...graded.map((one) => ({ seq: one.seq, graded: one })),
  ].sort((a, b) => a.seq - b.seq);
  const last = all[limit - 1];
  const page = last && all.length > limit ? all.filter(({ seq }) => seq <= last.seq) : all;
  const isCut = page.length < all.length || own.length > limit || graded.length > limit;
  return { page, moreFrom: isCut ? last?.seq : undefined };
}

/**
 * @param chosen courses whose students' work the client wants
 * @throws Problem 409 `must_refetch` for an unusable cursor
 */
export async function changesPage(
  call: Call,
  given: string | undefined,
  limit: number,
  chosen: readonly number[] = [],
): Promise<ChangesPage> {
  const { db, me, now } = call;
  const sent = given === undefined ? undefined : readCursor(given);
  if (given !== undefined && !sent) throw mustRefetch('unreadable');
  // Without a cursor everything is backlog.
  const { seq: since, at } = sent ?? { seq: Number.MAX_SAFE_INTEGER, at: now };
  const work = gradedPage(db, me, sent, chosen, limit);
  const read = () =>
    db.perform([
      factsOfTheLog(db, sent?.newest ?? 0),
      changesSince(db, me.id, since, limit),
      scheduledChangesSince(db, me.id, at, now),
      ...backlogsOf(db, me.id, sent?.backlog, limit),
      ...membershipStatements(db, me, now),
      ...work.statements,
    ]);
  const lostBy = (log: Awaited<ReturnType<typeof read>>[0]) => sent && log[0] && whyLost(sent, log[0], now);
  let results = await read();
  // A replica may lag behind the cursor, so only the primary can detect that the log was replaced.
  if (lostBy(results[0])) {
    db.continueFrom('first-primary');
    results = await read();
  }
  const [log, changed, scheduled, walked, own, ...others] = results;
  const reason = lostBy(log);
  if (reason) throw mustRefetch(reason);
  const fact = found(log[0]);

  const mine = others.slice(0, others.length - work.statements.length);
  const memberships = membershipsOf(mine as unknown as MembershipRows, call, chosen);
  const { lenses, courses, graded } = memberships;
  const ofGraded = work.read(others.slice(mine.length), courses);
  const { page, moreFrom } = pageOf(changed, ofGraded.changes, limit);
  const logged = page.flatMap(({ own }) => own ?? []);
  const known = page.flatMap(({ graded }) => (graded && mayKnow(courses, graded) ? graded : []));
  const waiting = walkOf(walked, own, ofGraded.waiting);
  const tail = waiting.slice(0, endOfPage(waiting, Math.max(0, limit - page.length)));
  const shown = tail.filter(({ isHidden }) => !isHidden);
  const touched = [...withShowing([...logged, ...scheduled]), ...known.flatMap(changedItems), ...shown];
  const hushed = new Set<LoggedChange>(shown.filter(({ place }) => !sent?.backlog[place]?.withDeletes));
  const result = await tell(call, memberships, touched, (one) => !hushed.has(one));
  const reset = coursesToReset(sent, memberships);
  const lost: Change[] = [
    ...Object.keys(sent?.lenses ?? {})
      .filter((id) => !Object.hasOwn(lenses, id))
      .map((id) => lostHome(Number(id))),
    ...reset.map(lostHome),
  ];

  const seq = moreFrom ?? fact.newest_seq;
  const again = { graded, reset, touched: sent ? touchedWork([...logged, ...scheduled], known, since, work.isRelevant) : [] };
  const backlog = nextBacklog(sent, memberships, again, tail, waiting[tail.length]?.place);
  const has_more = moreFrom !== undefined || backlog.length > 0;
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

/** The changed items as the caller may see them now: one round trip, regardless of kinds and courses. */
async function tell(
  call: Call,
  { courses, groups, institution, graded }: Memberships,
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
    return (place.group ?? place.course) && { institution, ...place, isGraded: graded.has(home) };
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
  // What has moved from one course to another is deleted in one and sent in the other: clients know an item by kind and id.
  const present = new Set(changes.flatMap(({ op, kind, id }) => (op === 'upsert' ? `${kind} ${id}` : [])));
  return changes.filter(({ op, kind, id }) => op === 'upsert' || !present.has(`${kind} ${id}`)).sort(byPlaceAndKind);
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
