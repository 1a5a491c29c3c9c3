// What has changed, and of what the person wants to hear.

import type { Change } from '@carrel/shared/sync/protocol';

/** What has become of something, as a person would say it. */
export type NewsWhat =
  | 'course new'
  | 'course gone'
  | 'assignment new'
  | 'page new'
  | 'file new'
  | 'file replaced'
  | 'discussion new'
  | 'announcement'
  | 'replies'
  | 'message'
  | 'module new'
  | 'module items'
  | 'event new'
  | 'event moved'
  | 'event gone'
  | 'gone'
  | 'renamed'
  | 'opened'
  | 'text'
  | 'rubric'
  | 'due'
  | 'closes'
  | 'points'
  | 'grade'
  | 'grade changed'
  | 'excused'
  | 'missing'
  | 'comment';

/** Of a file that was replaced: its pages as they are counted now. */
export interface ChangedPages {
  readonly changed: readonly number[];
  readonly added: number;
  readonly removed: number;
}

export interface NewsItem {
  readonly id: number;
  readonly what: NewsWhat;
  readonly of: Change['kind'];
  readonly of_id: number;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly title: string;
  /** What it was and what it is: a time for dates, else a word. */
  readonly from: string | null;
  readonly to: string | null;
  readonly count: number;
  readonly who: string | null;
  readonly words: string | null;
  /** Once the new version has come and was read. */
  readonly pages?: ChangedPages;
  /** When the desk noticed it. */
  readonly at: string;
}

/** What is worth a notification, and when none is wanted. */
export interface NoticeChoices {
  readonly enabled: boolean;
  readonly about: Readonly<Record<NoticeTopic, boolean>>;
  /** Hours of the day, `HH:MM`; null: none are quiet. */
  readonly quiet: { readonly from: string; readonly to: string } | null;
}

export type NoticeTopic = 'grades' | 'dates' | 'announcements' | 'messages' | 'discussions' | 'content';
