// Turns new feed entries into announcements. Pure.

import { sanitise } from '@carrel/shared/html/sanitise';
import { htmlToText } from '../../html/plain';
import { escapeHtml } from '../../site/frame';
import type { ParsedFeedEntry } from './parse';
import type { verbosities } from './table';

interface Rules {
  readonly created_at: string;
  readonly header_match: string | null;
  readonly verbosity: (typeof verbosities)[number];
}

export interface Announcement {
  /** Identifies the entry within its feed; stored as a hash. */
  readonly name: string;
  readonly title: string;
  readonly message: string;
  readonly posted_at: string;
}

/** The number of newest entries checked each time. */
const most = 50;
const shortest = 250;
/** A longer text is omitted; readers follow the link. */
const longest = 50_000;

const bodyOf = (html: string, verbosity: Rules['verbosity']): string => {
  if (verbosity === 'link_only') return '';
  if (verbosity === 'full') return sanitise(html.slice(0, longest));
  const text = htmlToText(html.slice(0, longest));
  return `<p>${escapeHtml(text.length > shortest ? `${text.slice(0, shortest)}…` : text)}</p>`;
};

/** Entries older than the feed's registration are not announced. */
const isNews = ({ at, title }: ParsedFeedEntry, { created_at, header_match }: Rules): boolean =>
  (at === undefined || at >= created_at) && (header_match === null || title.toLowerCase().includes(header_match.toLowerCase()));

/** @param now also the date of entries that are dated in the future */
export function announcementsOf(entries: readonly ParsedFeedEntry[], rules: Rules, now: string): Announcement[] {
  const news = entries.filter((entry) => isNews(entry, rules)).sort((a, b) => (b.at ?? now).localeCompare(a.at ?? now));
  return news.slice(0, most).map((entry) => ({
    name: entry.name ?? `${entry.title} ${entry.at ?? ''}`,
    title: entry.title || 'No Title',
    message: sanitise(
      `${entry.link ? `<p><a href="${escapeHtml(entry.link)}">Original article</a></p>` : ''}${bodyOf(entry.html, rules.verbosity)}`,
    ),
    posted_at: entry.at !== undefined && entry.at < now ? entry.at : now,
  }));
}
