// View models of changes, and the user's choice of notifications.

import type { Change } from '@carrel/shared/sync/protocol';
import type { VersionKey } from './versions';

/** What has happened to an item. */
export type NewsWhat =
  | 'course new'
  | 'course gone'
  | 'group new'
  | 'group gone'
  | 'section'
  | 'syllabus'
  | 'weight'
  | 'assignment new'
  | 'page new'
  | 'file new'
  | 'file replaced'
  | 'file moved'
  | 'discussion new'
  | 'announcement'
  | 'replies'
  | 'answer'
  | 'message'
  | 'module new'
  | 'module items'
  | 'module left'
  | 'requirements'
  | 'event new'
  | 'event moved'
  | 'event place'
  | 'event gone'
  | 'gone'
  | 'renamed'
  | 'opened'
  | 'shut'
  | 'text'
  | 'rubric'
  | 'due'
  | 'opens'
  | 'closes'
  | 'points'
  | 'attempts'
  | 'handing in'
  | 'grade'
  | 'grade changed'
  | 'grade gone'
  | 'excused'
  | 'excuse gone'
  | 'late'
  | 'missing'
  | 'comment';

/** Of a replaced file: its pages, counted in the new version. */
export interface ChangedPages {
  readonly changed: readonly number[];
  readonly added: number;
  readonly removed: number;
}

/** Of a text: paragraphs added and removed, and the changed words in the others. */
export interface ChangedWords {
  readonly inserted: number;
  readonly deleted: number;
  readonly paragraphs_added: number;
  readonly paragraphs_removed: number;
}

/** Of a rubric: its rows by name. */
export interface ChangedRows {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export interface NewsItem {
  readonly id: number;
  readonly what: NewsWhat;
  readonly of: Change['kind'];
  readonly of_id: number;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly title: string;
  /** The old and new value: a time for dates, else text. */
  readonly from: string | null;
  readonly to: string | null;
  readonly count: number;
  readonly who: string | null;
  /** The observed student whose work it is about; absent: the user's own. */
  readonly student?: { readonly id: number; readonly name: string };
  readonly words: string | null;
  /** Present once the new version is downloaded and indexed. */
  readonly pages?: ChangedPages;
  /** Absent when the text was replaced altogether. */
  readonly text?: ChangedWords;
  readonly rows?: ChangedRows;
  /** The version that the user last saw, if it is stored. */
  readonly earlier?: VersionKey;
  /** In a line about several items: their titles. */
  readonly titles?: readonly string[];
  /** When the sync noticed it. */
  readonly at: string;
}

/** Which news are worth a notification, and the quiet hours. */
export interface NoticeChoices {
  readonly enabled: boolean;
  readonly about: Readonly<Record<NoticeTopic, boolean>>;
  /** Hours of the day, `HH:MM`; null: no quiet hours. */
  readonly quiet: { readonly from: string; readonly to: string } | null;
}

export type NoticeTopic = 'due' | 'grades' | 'dates' | 'announcements' | 'messages' | 'discussions' | 'content';

/** An assignment that is due soon and not submitted. */
export interface Reminder {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly title: string;
  readonly course_name: string | null;
  readonly due_at: string;
}

/** One notification: about one item, an assignment that is due, or several items. */
export type DeskNotification =
  | { readonly of: 'news'; readonly item: NewsItem }
  | { readonly of: 'due'; readonly due: Reminder }
  /** `quiet`: it arrived during quiet hours. */
  | { readonly of: 'several'; readonly items: readonly NewsItem[]; readonly quiet: boolean };

/** The notifications to show now; each is shown once and on one screen. */
export interface Saying {
  /** Its account, when there are several. */
  readonly account: { readonly id: string; readonly name: string; readonly shown: boolean };
  readonly notice: DeskNotification;
}

export interface Sayings {
  readonly say: readonly Saying[];
  /** When to ask again even if nothing changes. */
  readonly again: string | null;
}
