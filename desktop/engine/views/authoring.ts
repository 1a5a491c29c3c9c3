// A text as its author sees it: what the server has, what waits to be sent, and both texts where someone else has changed it.

import type { AuthoredPlace, AuthoringView, MergePart, MergeView, WaitingText } from '../../contract/authoring';
import type { PageCard } from '../../contract/course';
import { type AuthoredJson, baseOf, mergeTexts } from '../authoring/authored';
import { imageAddresses } from '../authoring/images';
import { place as placeIn } from '../model/places';
import type { AssignmentJson, PageJson } from '../model/resources';
import { onlyTeaches } from '../model/teaching';
import { type AuthoredIntent, isAuthored } from '../outbox/authored_texts';
import type { Outbox } from '../outbox/outbox';
import { allTextDrafts, textDraftAt } from '../outbox/text_drafts';
import { wayOf } from '../server/pull';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { linkIn } from '../text/links';
import type { MergedPart } from '../text/merge';
import type { Leads } from '../text/offline';
import { prose } from '../text/prose';
import { leadIn } from './link_targets';

interface Here {
  readonly cache: Cache;
  readonly outbox: Outbox;
  readonly user: UserStore;
  readonly signedIn: { readonly url: string; readonly user_id: number };
}
interface Asking {
  readonly cache: Cache;
  readonly signedIn: { readonly user_id: number };
}
type Unsent = ReadonlyMap<number, { readonly title: string; readonly unsent: NonNullable<PageCard['unsent']> }>;

const isTaught = ({ cache, signedIn }: Asking, courseId: number): boolean => courseId > 0 && onlyTeaches(cache, courseId, signedIn.user_id);

/** The server says so of each item. One without the feed does not, and decides when the text is sent. */
const isOffered = (cache: Cache, item: Pick<AuthoredJson, 'version'> & { readonly unpublishable?: boolean }): boolean =>
  wayOf(cache) !== 'feed' || item.version !== undefined || item.unpublishable !== undefined;

/** Whether new pages are offered: where the user may change those that are there. */
export function mayAuthorIn(asking: Asking, courseId: number): boolean {
  const { cache } = asking;
  if (!isTaught(asking, courseId)) return false;
  return wayOf(cache) !== 'feed' || cache.hasInCourse('page', courseId, 'version') || cache.countOfCourse('page', courseId) === 0;
}

/** Quizzes and discussions have their texts elsewhere. */
const elsewhere = ['online_quiz', 'discussion_topic'];
const isWrittenElsewhere = (item: AuthoredJson): boolean =>
  'submission_types' in item && (item.submission_types ?? []).some((type) => elsewhere.includes(type));

export function mayAuthor(asking: Asking, { kind, course_id, id }: AuthoredPlace): boolean {
  const { cache } = asking;
  if (id < 0) return kind === 'page' && mayAuthorIn(asking, course_id);
  if (!isTaught(asking, course_id) || cache.courseIdOf(kind, id) !== course_id) return false;
  const item = cache.get<PageJson & AssignmentJson>(kind, id);
  return item !== undefined && !item.locked_for_user && isOffered(cache, item) && !isWrittenElsewhere(item);
}

export function authoringView(here: Here, place: AuthoredPlace): AuthoringView | null {
  const { cache, outbox, user, signedIn } = here;
  const { kind, course_id, id } = place;
  const waiting = outbox.waitingText(place);
  const draft = textDraftAt(user, { kind: 'authored', of: kind, course_id, id });
  // What was written stays readable, whatever has become of the item.
  if (!waiting && !draft && !mayAuthor(here, place)) return null;
  const item = id < 0 || cache.courseIdOf(kind, id) !== course_id ? undefined : cache.get<AuthoredJson>(kind, id);
  const there = item ? baseOf(item) : null;
  const leads = { base: signedIn.url, to: leadIn(cache) };
  const of = item as Partial<PageJson & AssignmentJson> | undefined;
  return {
    course_name: placeIn(cache, course_id)?.name ?? '',
    there,
    waiting: waiting ? waitingText(waiting, leads) : null,
    is_front_page: of?.front_page ?? false,
    has_other_dates: of?.has_overrides ?? false,
    is_closed: of?.in_closed_grading_period ?? false,
    images: localImages([there?.html, waiting?.body.text.html, waiting?.body.meanwhile?.html, draft?.words.text], leads),
  };
}

function localImages(texts: readonly (string | undefined)[], { base, to }: Leads): Record<string, string> {
  const addresses = texts.flatMap((html) => imageAddresses(html ?? ''));
  return Object.fromEntries(
    addresses.flatMap((address) => {
      const linked = linkIn(address, base);
      const local = linked && to(linked);
      return local === undefined ? [] : [[address, local]];
    }),
  );
}

const waitingText = (intent: AuthoredIntent, leads: Leads): WaitingText => ({
  id: intent.id,
  text: intent.body.text,
  base: intent.body.base,
  refused: intent.state === 'parked' ? (intent.reason ?? '') : null,
  hold: intent.hold,
  is_under_way: intent.attempts > 0 && intent.state === 'queued',
  merge: intent.hold === 'changed meanwhile' ? mergeView(intent, leads) : null,
});

function mergeView({ body: { text, base, meanwhile } }: AuthoredIntent, leads: Leads): MergeView | null {
  if (!meanwhile) return null;
  const piece = (html: string) => ({ html, words: prose(html, leads) });
  const shown = (part: MergedPart): MergePart => {
    if (part.from === 'conflict') return { from: 'conflict', mine: piece(part.mine), theirs: piece(part.theirs) };
    if (part.from === 'both') return { from: 'both', piece: piece(part.html) };
    return { from: part.from, piece: piece(part.html), was: piece(part.was) };
  };
  const { merged, fields, parts } = mergeTexts(base ?? meanwhile, text, meanwhile);
  return { who: meanwhile.who, at: meanwhile.at, merged, fields, parts: parts.map(shown) };
}

/** What of the user's texts in a course is not sent, by item. */
export function unsentTexts({ outbox, user }: Pick<Here, 'outbox' | 'user'>, kind: AuthoredPlace['kind'], courseId: number): Unsent {
  const drafts = allTextDrafts(user).flatMap(({ place, words }) =>
    place.kind === 'authored' && place.of === kind && place.course_id === courseId
      ? [[place.id, { title: words.title ?? '', unsent: 'being written' }] as const]
      : [],
  );
  const waiting = outbox.pending().flatMap((intent) => {
    if (!isAuthored(intent) || intent.body.kind !== kind || intent.body.course_id !== courseId) return [];
    const unsent = intent.hold === 'changed meanwhile' ? intent.hold : intent.state === 'parked' ? 'refused' : 'waits';
    return [[intent.body.id, { title: intent.body.text.title, unsent }] as const];
  });
  return new Map<number, { readonly title: string; readonly unsent: NonNullable<PageCard['unsent']> }>([...drafts, ...waiting]);
}
