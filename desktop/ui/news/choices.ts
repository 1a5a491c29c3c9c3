// The kinds of news to choose from for notifications.

import type { NoticeTopic } from '../../contract/news.ts';

export const noticeTopics = [
  'due',
  'grades',
  'dates',
  'announcements',
  'messages',
  'discussions',
  'content',
] as const satisfies readonly NoticeTopic[];
