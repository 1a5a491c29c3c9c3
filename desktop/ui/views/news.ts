// What has changed, and of what the person wants to hear.

import type { Change } from '@carrel/shared/sync/protocol';
import type { VersionKey } from './versions';

/** What has become of something, as a person would say it. */
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

/** Of a file that was replaced: its pages as they are counted now. */
export interface ChangedPages {
  readonly changed: readonly number[];
  readonly added: number;
  readonly removed: number;
}

/** Of a text: whole paragraphs that came and went, and the words in those that stayed. */
export interface ChangedWords {
  readonly inserted: number;
  readonly deleted: number;
  readonly paragraphs_added: number;
  readonly paragraphs_removed: number;
}

/** Of a rubric: its rows by their names. */
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
  /** What it was and what it is: a time for dates, else a word. */
  readonly from: string | null;
  readonly to: string | null;
  readonly count: number;
  readonly who: string | null;
  readonly words: string | null;
  /** Once the new version has come and was read. */
  readonly pages?: ChangedPages;
  /** Absent where it is another text altogether. */
  readonly text?: ChangedWords;
  readonly rows?: ChangedRows;
  /** The text that it had when one looked last, where it is kept. */
  readonly earlier?: VersionKey;
  /** A line that stands for several things: what they are called. */
  readonly titles?: readonly string[];
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

export type NoticeTopic = 'due' | 'grades' | 'dates' | 'announcements' | 'messages' | 'discussions' | 'content';

/** Work that is due soon and not handed in. */
export interface Reminder {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly title: string;
  readonly course_name: string | null;
  readonly due_at: string;
}

/** One notification: of one thing, of work that is due, or of several things at once. */
export type Notice =
  | { readonly of: 'news'; readonly item: NewsItem }
  | { readonly of: 'due'; readonly due: Reminder }
  /** `quiet`: it came while nothing was to be said. */
  | { readonly of: 'several'; readonly items: readonly NewsItem[]; readonly quiet: boolean };

/** What is to be said now, each once and on one screen. */
export interface Saying {
  /** Whose, where several people sit at this desk. */
  readonly account: { readonly id: string; readonly name: string; readonly shown: boolean };
  readonly notice: Notice;
}

export interface Sayings {
  readonly say: readonly Saying[];
  /** When to ask again, though nothing has changed. */
  readonly again: string | null;
}
