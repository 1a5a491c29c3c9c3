// Earlier texts of an item: those that this desk has seen replaced, and the revisions of pages that the server lists.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { Reference } from '../../contract/reading';
import type { VersionKey } from '../../contract/versions';
import type { EnrollmentJson, PageJson } from '../model/resources';
import type { Cache } from '../store/cache';
import type { KeptRevision } from '../store/versions';
import { hashOfWording, type Wording, wordingOf } from '../text/wording';

type Json = Readonly<Record<string, unknown>>;
export interface Looking {
  readonly cache: Cache;
  readonly signedIn: { readonly user_id: number };
}

export interface EarlierVersion extends Omit<Wording, 'title' | 'html'> {
  readonly key: VersionKey;
  readonly number: number | null;
  readonly title: string | null;
  readonly html: string | null;
  readonly replaced_at: string | null;
}

export const kindOf = ({ kind }: Reference): Kind => (kind === 'syllabus' ? 'course' : kind);
export const currentWording = (cache: Cache, reference: Reference): Wording | undefined =>
  wordingOf(kindOf(reference), cache.get<Json>(kindOf(reference), reference.id));

const editing = /Teacher|Ta|Designer/;

/** Users who may edit a page may see its revisions; the server makes the final decision. */
export function mayAsk({ cache, signedIn }: Looking, { kind, course_id, id }: Reference): boolean {
  if (kind !== 'page') return false;
  const roles = cache.get<PageJson>('page', id)?.editing_roles?.split(',') ?? [];
  if (course_id < 0) return roles.length === 0 || roles.includes('members') || roles.includes('public');
  if (roles.includes('students') || roles.includes('public')) return true;
  return cache
    .ofCourse<EnrollmentJson>('enrollment', course_id)
    .some(({ user_id = signedIn.user_id, type }) => user_id === signedIn.user_id && editing.test(type));
}

/** Null if the item has no earlier texts: nothing was replaced here, and the server has no revisions. */
export function earlierCount(open: Looking, reference: Reference): number | null {
  const now = currentWording(open.cache, reference);
  const { length } = now ? earlier(open.cache, reference, now) : [];
  return length === 0 && !mayAsk(open, reference) ? null : length;
}

/** The newest first. A revision of the server replaces a text with the same words that was stored here. */
export function earlier(cache: Cache, reference: Reference, now: Wording): EarlierVersion[] {
  const kind = kindOf(reference);
  const revisions = kind === 'page' ? cache.versions.revisions(reference.id) : [];
  const [newest] = revisions;
  // The feed may have sent a newer text since the revisions were requested.
  const isPast = !!newest && newest.written_at < (now.written_at ?? '') && newest.title !== null && hashOf(newest) !== hashOfWording(now);
  const result = revisions.map(
    ({ number, title, html, author, written_at }, at): EarlierVersion => ({
      key: `r${number}`,
      number,
      title,
      html,
      author,
      written_at,
      replaced_at: revisions[at - 1]?.written_at ?? now.written_at,
    }),
  );
  const isTold = new Set(revisions.map(hashOf));
  const times = new Set(revisions.map(({ written_at }) => written_at));
  const kept = cache.versions
    .of(kind, reference.id)
    .filter(({ hash, written_at }) => !isTold.has(hash) && !(written_at && times.has(written_at)))
    .map(({ hash, ...version }): EarlierVersion => ({ ...version, key: `k${hash}`, number: null }));
  const when = ({ replaced_at, written_at }: EarlierVersion) => Date.parse(replaced_at ?? written_at ?? '') || 0;
  return [...result.slice(isPast ? 0 : 1), ...kept].sort((a, b) => when(b) - when(a));
}

const hashOf = ({ title, html }: Pick<KeptRevision, 'title' | 'html'>): string | undefined =>
  title === null ? undefined : hashOfWording({ title, html: html ?? '' });
