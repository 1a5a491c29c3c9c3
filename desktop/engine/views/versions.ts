// The earlier texts of an item: the list, one text, and the comparison with the current one.

import type { Reading, Reference } from '../../contract/reading';
import type { VersionCard, VersionKey, VersionReading, VersionsView } from '../../contract/versions';
import { t } from '../../language/texts';
import { place } from '../model/places';
import type { Cache } from '../store/cache';
import { compared, difference } from '../text/compare';
import { said } from '../text/shown_html';
import type { Wording } from '../text/wording';
import { currentWording, type EarlierVersion, earlier, kindOf, type Looking, mayAsk } from './earlier';
import { leadIn } from './link_targets';
import { type Open, reading } from './reading';

interface Found {
  readonly now: Wording;
  readonly title: string;
  readonly course_name: string;
  readonly all: readonly EarlierVersion[];
}

function look(cache: Cache, reference: Reference): Found | undefined {
  const at = place(cache, reference.course_id);
  const now = currentWording(cache, reference);
  const stands = kindOf(reference) === 'course' || cache.courseIdOf(kindOf(reference), reference.id) === reference.course_id;
  if (!at || !now || !stands) return undefined;
  return { now, title: now.title || t('tab.syllabus'), course_name: at.name ?? '', all: earlier(cache, reference, now) };
}

export function versions(open: Looking, reference: Reference): VersionsView | null {
  const found = look(open.cache, reference);
  if (!found) return null;
  const { now, title, course_name, all } = found;
  return {
    reference,
    title,
    course_name,
    current: { at: now.written_at, by: now.author },
    may_ask: mayAsk(open, reference),
    earlier: all.map((version, at) => cardOf(version, all[at - 1] ?? now)),
  };
}

/** A version to read, on its own and compared with the current text. */
export function versionReading(open: Open, reference: Reference, key: VersionKey): VersionReading | null {
  const { cache, signedIn } = open;
  const found = look(cache, reference);
  const at = found?.all.findIndex((one) => one.key === key) ?? -1;
  const wanted = found?.all[at];
  const today = reading(open, reference);
  if (!found || !wanted || !today) return null;
  const harmless = (html: string) => said(html, { base: signedIn.url, to: leadIn(cache) });
  const { now, all, title } = found;
  const then = harmless(wanted.html ?? '');
  const marked = wanted.html === null ? undefined : compared(then, harmless(now.html), marks());
  return {
    card: cardOf(wanted, all[at - 1] ?? now),
    as_it_was: alone(today, { title: wanted.title || title, html: then, updated_at: wanted.written_at, author: wanted.author }),
    compared: marked === undefined ? null : alone(today, { title, html: marked, updated_at: now.written_at, author: now.author }),
    differs: wanted.html === null ? null : becameOf(wanted, now),
    newer: all[at - 1]?.key ?? null,
    older: all[at + 1]?.key ?? null,
  };
}

const marks = () => ({
  ins: [t('versions.insBegins'), t('versions.insEnds')] as const,
  del: [t('versions.delBegins'), t('versions.delEnds')] as const,
});

/** Only the title and the text are those of that time; everything around them is left out. */
const alone = (today: Reading, then: Pick<Reading, 'title' | 'html' | 'updated_at' | 'author'>): Reading => ({
  ...today,
  ...then,
  bookmark: null,
  attachments: [],
  comments: [],
  rubric: null,
  to_mark: null,
});

const cardOf = (version: EarlierVersion, next: Pick<EarlierVersion, 'title' | 'html'>): VersionCard => ({
  key: version.key,
  number: version.number,
  title: version.title,
  at: version.written_at,
  by: version.author,
  until: version.replaced_at,
  here: version.html !== null,
  became: version.html === null || next.html === null ? null : becameOf(version, next),
});

const becameOf = (one: Pick<EarlierVersion, 'title' | 'html'>, next: Pick<EarlierVersion, 'title' | 'html'>): VersionCard['became'] => ({
  title: next.title !== null && next.title !== one.title ? next.title : null,
  words: difference(one.html ?? '', next.html ?? '') ?? null,
});
