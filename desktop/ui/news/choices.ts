// What of the news is worth a notification, by the person's choices and the hour. Pure.

import type { NewsItem, NewsWhat, NoticeChoices, NoticeTopic } from '../views/news.ts';

const topics: Readonly<Record<NewsWhat, NoticeTopic>> = {
  grade: 'grades',
  'grade changed': 'grades',
  excused: 'grades',
  missing: 'grades',
  comment: 'grades',
  due: 'dates',
  closes: 'dates',
  opened: 'dates',
  'assignment new': 'dates',
  'event new': 'dates',
  'event moved': 'dates',
  'event gone': 'dates',
  announcement: 'announcements',
  message: 'messages',
  replies: 'discussions',
  'discussion new': 'discussions',
  'course new': 'content',
  'course gone': 'content',
  'page new': 'content',
  'file new': 'content',
  'file replaced': 'content',
  'module new': 'content',
  'module items': 'content',
  gone: 'content',
  renamed: 'content',
  text: 'content',
  rubric: 'content',
  points: 'content',
};

export const noticeTopics = ['grades', 'dates', 'announcements', 'messages', 'discussions', 'content'] as const satisfies NoticeTopic[];

/** Quiet hours may pass midnight. */
export function isQuiet(quiet: NoticeChoices['quiet'], at: Date): boolean {
  if (!quiet || quiet.from === quiet.to) return false;
  const hour = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
  return quiet.from < quiet.to ? hour >= quiet.from && hour < quiet.to : hour >= quiet.from || hour < quiet.to;
}

/** Those that were not there at the last look, and are wanted, the oldest first. */
export function worthSaying(news: readonly NewsItem[], lastSaid: number, choices: NoticeChoices, at: Date): readonly NewsItem[] {
  if (!choices.enabled || isQuiet(choices.quiet, at)) return [];
  return news.filter(({ id, what }) => id > lastSaid && choices.about[topics[what]]).toReversed();
}
