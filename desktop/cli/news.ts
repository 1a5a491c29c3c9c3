// `carrel news`: what has changed since the user last looked, as on Today.

import type { NewsItem } from '../contract/news';
import type { Workspace } from '../engine/accounts/workspace';
import { newsItems } from '../engine/views/news';
import { newsTitles, newsWords } from '../language/news';
import { t } from '../language/texts';

/** @param isSeen also marks it as seen, here and on Today */
export function lookAtNews({ cache, outbox }: Workspace, isSeen: boolean): readonly NewsItem[] {
  const news = newsItems({ cache, outbox });
  if (isSeen) cache.news.seen(cache.news.latest());
  return news;
}

/** By course; changes without a course first. */
export function newsLines(news: readonly NewsItem[], isSeen: boolean): string[] {
  if (news.length === 0) return [t('cli.newsNone')];
  const byCourse = Map.groupBy(news, ({ course_id, course_name }) => (course_id === null ? '' : (course_name ?? '')));
  const courses = [...byCourse].sort(([a], [b]) => a.localeCompare(b));
  return [
    ...courses.flatMap(([course, items]) => [...(course === '' ? [] : [course]), ...items.map(lineOf)]),
    ...(isSeen ? [t('cli.newsSeen')] : []),
  ];
}

function lineOf(item: NewsItem): string {
  const about = item.words ?? (item.titles ? newsTitles(item) : '');
  return `  ${item.title || t('inbox.noSubject')}: ${newsWords(item)}${about === '' ? '' : ` (${about})`}`;
}
