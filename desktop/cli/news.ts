// `carrel news`: what has changed since the person looked last, as Today says it.

import type { Study } from '../engine/study';
import { newsItems } from '../engine/views/news';
import type { NewsItem } from '../ui/views/news';
import { namesOf, newsWords } from '../ui/words/news';
import { t } from '../ui/words/texts';

/** @param isSeen it counts as looked at from now on, on Today as well */
export function lookAtNews({ cache, outbox }: Study, isSeen: boolean): readonly NewsItem[] {
  const news = newsItems({ cache, outbox });
  if (isSeen) cache.news.seen(cache.news.latest());
  return news;
}

/** Course by course, what belongs to none first. */
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
  const about = item.words ?? (item.titles ? namesOf(item) : '');
  return `  ${item.title || t('inbox.noSubject')}: ${newsWords(item)}${about === '' ? '' : ` (${about})`}`;
}
