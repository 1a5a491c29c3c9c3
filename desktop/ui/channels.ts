// The one map from channel to signature by which the ui reaches the system. Hosts carry it: HTTP in the browser, IPC in Electron.

import type { Change } from '@carrel/shared/sync/protocol';

type Json = Readonly<Record<string, unknown>>;

export interface CourseCard {
  readonly id: number;
  readonly name: string;
  readonly course_code: string;
  readonly term_name: string | null;
  readonly file_count: number;
  readonly unread_announcements: number;
  /** Share of module requirements met, 0–1; null when the course has none. */
  readonly progress: number | null;
}

export interface PlannerEntry {
  readonly plannable_type: 'assignment' | 'discussion_topic' | 'announcement' | 'wiki_page' | 'planner_note' | 'calendar_event';
  readonly plannable_id: number;
  readonly title: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`; null for what has no date: it is in the lists of its course, and in no plan. */
  readonly date: string | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly points_possible: number | null;
  readonly details: string | null;
  readonly submitted: boolean;
  readonly graded: boolean;
  readonly late: boolean;
  readonly missing: boolean;
  readonly marked_complete: boolean;
  /** An edit made here that the server has not confirmed. */
  readonly pending: boolean;
}

/** What is in a plan has a date. */
export type DatedEntry = PlannerEntry & { readonly date: string };

export interface ModuleView {
  readonly id: number;
  readonly name: string;
  readonly position: number;
  readonly state: 'locked' | 'unlocked' | 'started' | 'completed' | null;
  readonly unlock_at: string | null;
  readonly items: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly indent: number;
    readonly requirement: string | null;
    /** As the server said last. */
    readonly completed: boolean | null;
    /** Looked at or marked here, which the server has not confirmed. */
    readonly pending: boolean;
    /** Where it opens in the desk; null for headings and for what is not kept offline. */
    readonly open: Reference | null;
    readonly external_url: string | null;
  }[];
}

export type Reference =
  | { readonly kind: 'page'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'assignment'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'discussion_topic'; readonly course_id: number; readonly id: number }
  | { readonly kind: 'file'; readonly course_id: number; readonly id: number }
  /** Its id is the course’s. */
  | { readonly kind: 'syllabus'; readonly course_id: number; readonly id: number };

/**
 * A text to read. `html` is sanitised. Its images and file links are `/files/<id>`, which every host serves from the study folder;
 * its links to other readings are `#/read/<kind>/<course_id>/<id>` with the kinds of `Reference`; everything else is http(s) or mailto.
 */
export interface Reading {
  readonly reference: Reference;
  readonly title: string;
  readonly html: string;
  readonly course_name: string;
  readonly updated_at: string | null;
  readonly author: string | null;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly points_possible: number | null;
  readonly submission: {
    readonly workflow_state: string;
    readonly submitted_at: string | null;
    readonly grade: string | null;
    readonly score: number | null;
  } | null;
  readonly locked: string | null;
  /** What is said about one's own work, the oldest first. */
  readonly comments: readonly {
    readonly id: number;
    readonly author: string | null;
    readonly mine: boolean;
    readonly at: string;
    readonly text: string;
  }[];
  readonly rubric: RubricView | null;
  readonly bookmark: BookmarkView | null;
  readonly attachments: readonly Attachment[];
  /** Of a discussion topic. */
  readonly is_announcement: boolean;
  /** The module that asks to mark it as done; null when none does. `done` is the person's last word, `pending` until the server has it. */
  readonly to_mark: {
    readonly module_id: number;
    readonly item_id: number;
    readonly module_name: string;
    readonly done: boolean;
    readonly pending: boolean;
  } | null;
}

/** By what work is judged; `earned` once it was. */
export interface RubricView {
  readonly points: number;
  readonly earned: number | null;
  readonly criteria: readonly {
    readonly id: string;
    readonly title: string;
    readonly description: string | null;
    readonly points: number | null;
    readonly earned: number | null;
    readonly comment: string | null;
    readonly ratings: readonly {
      readonly id: string;
      readonly title: string;
      readonly description: string | null;
      readonly points: number | null;
      readonly is_given: boolean;
    }[];
  }[];
}

/** A place in a text that the person has marked; known on this computer alone. */
export interface Highlight {
  readonly id: string;
  /** The marked words, and some of what stands before and after, by which they are found again. */
  readonly words: string;
  readonly before: string;
  readonly after: string;
}

export interface BookmarkView {
  readonly note: string;
  readonly is_marked: boolean;
  readonly highlights: readonly Highlight[];
}

/** What can be found, as a person would call it. */
export type FoundKind = 'page' | 'assignment' | 'discussion' | 'announcement' | 'file' | 'message' | 'note' | 'event' | 'module' | 'course';

/** A text in pieces, and whether each is what was looked for. */
export type Marked = readonly (readonly [text: string, isHit: boolean])[];

export interface Hit {
  readonly kind: FoundKind;
  readonly id: number;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly at: string | null;
  readonly title: Marked;
  readonly excerpt: Marked;
}

export interface LetterCard {
  readonly id: number;
  readonly subject: string | null;
  /** The others in it. */
  readonly people: readonly string[];
  readonly course_name: string | null;
  readonly at: string | null;
  readonly excerpt: string;
  readonly messages: number;
  readonly unread: boolean;
  readonly starred: boolean;
  /** Words of the person's own that the server does not have yet. */
  readonly unsent: boolean;
}

export interface Correspondence {
  readonly subject: string | null;
  readonly people: readonly string[];
  readonly course_name: string | null;
  readonly can_reply: boolean;
  readonly unread: boolean;
  /** Its messages have not been fetched yet. */
  readonly missing: boolean;
  /** The oldest first. */
  readonly messages: readonly {
    /** 0 while it is unsent. */
    readonly id: number;
    readonly author: string | null;
    readonly mine: boolean;
    readonly at: string;
    /** That somebody was added: said by the server. */
    readonly generated: boolean;
    readonly text: string;
    readonly attachments: readonly Attachment[];
    readonly unsent: Unsent | null;
  }[];
}

/** The grades of a course as the server has worked them out, and of what. */
export interface GradesView {
  /** The teacher does not show the totals. */
  readonly is_hidden: boolean;
  /** Percent, of what has been graded so far; null before anything was. */
  readonly score: number | null;
  readonly grade: string | null;
  readonly is_weighted: boolean;
  readonly groups: readonly GradedGroup[];
}

export interface GradedGroup {
  readonly id: number;
  readonly name: string;
  /** Percent of the total; null where groups are not weighed. */
  readonly weight: number | null;
  readonly drop_lowest: number;
  readonly drop_highest: number;
  readonly points: number;
  readonly points_possible: number;
  readonly rows: readonly GradedRow[];
}

export interface GradedRow {
  readonly id: number;
  /** A discussion that is graded opens as the discussion. */
  readonly open: Reference;
  readonly title: string;
  readonly due_at: string | null;
  readonly score: number | null;
  readonly grade: string | null;
  readonly points_possible: number | null;
  readonly late: boolean;
  readonly missing: boolean;
  /** Why it does not count, so far or at all; null: it counts. */
  readonly aside: 'not graded yet' | 'excused' | 'not in the total' | 'no points' | null;
}

/** The elements that the desk draws in what people write to each other. */
export type ProseTag =
  | 'p'
  | 'h3'
  | 'strong'
  | 'em'
  | 'u'
  | 'del'
  | 'sub'
  | 'sup'
  | 'code'
  | 'pre'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'br'
  | 'hr'
  | 'a'
  | 'img'
  | 'table'
  | 'tbody'
  | 'thead'
  | 'tr'
  | 'td'
  | 'th';

/** What a person wrote, as a tree. Addresses are as in `Reading.html`. */
export type Prose = readonly (string | ProseElement)[];

export interface ProseElement {
  readonly tag: ProseTag;
  readonly href?: string;
  readonly src?: string;
  readonly alt?: string;
  readonly of: Prose;
}

export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly size: number | null;
  /** On this computer: it opens as a file of the course does. */
  readonly here: boolean;
  /** Where the server has it. */
  readonly url: string | null;
}

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

/** How work is handed in here. */
export type WorkType = 'online_text_entry' | 'online_url' | 'online_upload';

/** What keeps something in the outbox until the person says what to do. */
export type Hold =
  | 'gone'
  | 'not yet'
  | 'closed'
  | 'locked'
  | 'other kind'
  | 'attempts used'
  | 'newer attempt'
  | 'no bytes'
  | 'declined'
  | 'trouble';

/** `waiting` for the server's signature; `unsigned`: this server signs nothing; `differs`: it has signed something else than was sent. */
export type ReceiptStanding = 'waiting' | 'signed' | 'unsigned' | 'differs';

export interface WorkFileView {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface WorkDraft {
  readonly type: WorkType;
  readonly text: string;
  readonly url: string;
  readonly files: readonly WorkFileView[];
}

/** What was handed in through this desk, and the server's word for it. */
export interface ReceiptView extends WorkDraft {
  readonly id: string;
  readonly attempt: number;
  readonly submitted_at: string;
  readonly sha256: string | null;
  readonly standing: ReceiptStanding;
  /** The signed token, for whoever wants to have it verified elsewhere. */
  readonly token: string | null;
}

export interface PersonCard {
  readonly id: number;
  readonly name: string;
}

/** Something that is here and not yet there. */
export interface OutboxItem {
  readonly id: string;
  readonly verb:
    | 'create'
    | 'update'
    | 'delete'
    | 'mark'
    | 'read'
    | 'read entries'
    | 'reply'
    | 'write'
    | 'open'
    | 'view'
    | 'done'
    | 'undone'
    | 'compose'
    | 'hand in';
  /** The person's own word; else only that something was looked at. */
  readonly is_word: boolean;
  readonly title: string;
  readonly excerpt: string | null;
  readonly course_id: number | null;
  readonly course_name: string | null;
  readonly since: string;
  /** Why the server did not take it; null while it waits. */
  readonly refused: string | null;
  readonly hold: Hold | null;
  readonly may_take_back: boolean;
  readonly may_rise: boolean;
  readonly may_sink: boolean;
  readonly open: Reference | null;
  /** The conversation that it belongs to. */
  readonly letter: number | null;
}

/** One's own work for an assignment: what is written, what is on its way, what has arrived. */
export interface WorkView {
  readonly types: readonly WorkType[];
  readonly allowed_extensions: readonly string[];
  readonly attempts_made: number;
  /** Null: without limit. */
  readonly attempts_allowed: number | null;
  /** Why nothing can be handed in now, as far as is known here. What is written is kept all the same. */
  readonly hold: Hold | null;
  readonly draft: WorkDraft & { readonly changed_at: string | null };
  readonly on_its_way:
    | (WorkDraft & { readonly unsent: Unsent; readonly hold: Hold | null; readonly since: string; readonly may_take_back: boolean })
    | null;
  readonly receipts: readonly ReceiptView[];
}

/** Words that are here and not yet there. */
export interface Unsent {
  /** Names it to `outbox.take_back`. */
  readonly id: string;
  /** Why the server did not take it; null while it waits. */
  readonly refused: string | null;
}

export interface ReplyView {
  /** 0 while it is unsent. */
  readonly id: number;
  readonly author: string | null;
  readonly mine: boolean;
  readonly at: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly unread: boolean;
  readonly words: Prose;
  readonly attachments: readonly Attachment[];
  readonly unsent: Unsent | null;
  readonly replies: readonly ReplyView[];
}

export interface DiscussionView {
  readonly replies: readonly ReplyView[];
  readonly count: number;
  readonly unread: number;
  readonly can_reply: boolean;
  /** The others’ replies are shown to those who have written one. */
  readonly write_first: boolean;
  /** There are replies which have not been fetched yet. */
  readonly missing: boolean;
}

export interface DiscussionCard {
  readonly id: number;
  readonly title: string;
  readonly author: string | null;
  readonly at: string | null;
  readonly last_reply_at: string | null;
  readonly replies: number;
  /** Replies that the person has not read. */
  readonly unread: number;
  readonly read: boolean;
  readonly pinned: boolean;
  readonly locked: boolean;
  readonly graded: boolean;
  readonly excerpt: string;
}

export type FileState =
  | 'synced'
  | 'queued'
  | 'downloading'
  | 'edited'
  | 'conflict'
  | 'locked'
  | 'kept'
  | 'failed'
  | 'removed by teacher'
  | 'not wanted';

export interface FileView {
  readonly id: number;
  readonly name: string;
  /** Folder path below the course, `/`-separated, `''` for the root. */
  readonly folder: string;
  readonly size: number;
  readonly content_type: string;
  readonly updated_at: string | null;
  readonly state: FileState;
  readonly reason: string | null;
  /** What keeps it out of reach for now. */
  readonly lock: FileLock | null;
}

export interface FileLock {
  /** `unlisted`: the course shows none of its files. */
  readonly why: 'locked' | 'hidden' | 'unlisted';
  readonly until: string | null;
  /** The name of the module that holds it back. */
  readonly module: string | null;
}

/** What the sync would do to files that are here, and does not do before it is confirmed. */
export interface HeldBack {
  /** No longer in the courses: their copies would go to “Removed by teacher”. */
  readonly withdrawn: number;
  /** Newer on the server: they would be replaced. */
  readonly replaced: number;
  /** Gone from the folder: they would count as not wanted. */
  readonly missing: number;
  /** All files that are followed here. */
  readonly of: number;
}

export interface SyncStatus {
  readonly phase: 'idle' | 'syncing' | 'offline' | 'sign in' | 'paused';
  /** Set while the sync is paused because it would take away or replace very many files at once. */
  readonly held_back: HeldBack | null;
  /** When the last complete cycle ended; null before the first. */
  readonly last_complete_at: string | null;
  readonly done: number;
  readonly total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  /** Notes and marks of the person that the server does not have yet. */
  readonly pending_edits: number;
  readonly issues: readonly { readonly what: string; readonly where: string; readonly why: string; readonly since: string }[];
  readonly folder: string | null;
}

export interface Account {
  readonly url: string;
  readonly user_id: number;
  readonly name: string;
}

export interface Channels {
  'account.current': () => Account | null;
  /** Checks the token against the server; rejects with the server's reason. */
  'account.login': (given: { url: string; token: string; folder?: string }) => Account;
  'account.logout': () => null;
  'today.list': (given: { from: string; to: string }) => readonly DatedEntry[];
  'note.create': (given: { title: string; details: string | null; todo_date: string; course_id: number | null }) => DatedEntry;
  'note.update': (given: { id: number; title: string; details: string | null; todo_date: string; course_id: number | null }) => DatedEntry;
  'note.delete': (given: { id: number }) => null;
  'planner.mark': (given: { plannable_type: PlannerEntry['plannable_type']; plannable_id: number; marked_complete: boolean }) => null;
  'courses.list': () => readonly CourseCard[];
  'course.modules': (given: { course_id: number }) => readonly ModuleView[];
  /** `viewed` for what the desk does not show itself; else `reader.seen` says it. */
  'module.mark': (given: { item_id: number; module_id: number; course_id: number; as: 'viewed' | 'done' | 'not done' }) => null;
  'course.pages': (given: {
    course_id: number;
  }) => readonly { readonly id: number; readonly title: string; readonly front_page: boolean }[];
  'course.assignments': (given: { course_id: number }) => readonly PlannerEntry[];
  'course.files': (given: { course_id: number }) => readonly FileView[];
  'announcements.list': (given: { course_id: number | null }) => readonly {
    readonly id: number;
    readonly course_id: number;
    readonly course_name: string;
    readonly title: string;
    readonly posted_at: string;
    readonly author: string | null;
    readonly excerpt: string;
    readonly read: boolean;
  }[];
  /** In everything that is kept here, by words as they begin; `kinds` counts them all, whatever kind was asked for. */
  'search.find': (given: { text: string; course_id: number | null; kind: FoundKind | null }) => {
    readonly kinds: Readonly<Record<FoundKind, number>>;
    readonly found: readonly Hit[];
  };
  'inbox.list': () => readonly LetterCard[];
  'inbox.open': (given: { id: number }) => Correspondence | null;
  /** It has been before the person's eyes. */
  'inbox.seen': (given: { id: number }) => null;
  'inbox.reply': (given: { id: number; text: string }) => null;
  /** People that the desk has heard of. */
  'inbox.people': () => readonly PersonCard[];
  'inbox.compose': (given: { to: readonly number[]; subject: string; text: string; course_id: number | null }) => null;
  'course.grades': (given: { course_id: number }) => GradesView;
  'course.discussions': (given: { course_id: number }) => readonly DiscussionCard[];
  'discussion.open': (given: { course_id: number; id: number }) => DiscussionView | null;
  /** These replies have been before the person's eyes. */
  'discussion.seen': (given: { course_id: number; id: number; replies: readonly number[] }) => null;
  'discussion.reply': (given: { course_id: number; id: number; parent_id: number | null; text: string }) => null;
  /** What has changed since the person looked last, the latest first. */
  'news.list': () => readonly NewsItem[];
  /** It has been looked at, up to this one. */
  'news.seen': (given: { until: number }) => null;
  'notices.choices': () => NoticeChoices;
  'notices.choose': (given: NoticeChoices) => null;
  'work.open': (given: { course_id: number; id: number }) => WorkView | null;
  /** Keeps what is written so far. */
  'work.write': (given: { course_id: number; id: number; type: WorkType; text: string; url: string }) => null;
  /** Copies a file of this computer to the work; the hosts alone say where it lies. */
  'work.attach': (given: { course_id: number; id: number; name: string; path: string }) => null;
  'work.detach': (given: { course_id: number; id: number; sha256: string }) => null;
  /** Puts what is written to the outbox; it is sent with the next sync. */
  'work.hand_in': (given: { course_id: number; id: number }) => null;
  /** Whether it was still here to be taken back. */
  'outbox.take_back': (given: { id: string }) => boolean;
  /** Everything that waits to be sent, in the order in which it is sent. */
  'outbox.list': () => readonly OutboxItem[];
  /** Whether it could be moved: words about one thing stay in their order. */
  'outbox.move': (given: { id: string; by: 'up' | 'down' }) => boolean;
  /** Tries again what was refused. */
  'outbox.retry': (given: { id: string }) => boolean;
  'bookmarks.list': () => readonly (BookmarkView & {
    readonly reference: Reference;
    readonly title: string;
    readonly course_name: string | null;
    readonly changed_at: string;
  })[];
  'bookmarks.mark': (given: { reference: Reference; marked: boolean; note: string }) => null;
  'bookmarks.highlight': (given: { reference: Reference; highlight: Highlight }) => null;
  'bookmarks.unhighlight': (given: { reference: Reference; id: string }) => null;
  'reader.open': (given: Reference) => Reading | null;
  /** The person has it before their eyes: an announcement is read from now on, and a module that asks to view it is told. */
  'reader.seen': (given: { kind: Exclude<Reference['kind'], 'syllabus'>; id: number }) => null;
  'file.open': (given: { id: number }) => { readonly path: string; readonly url: string | null } | null;
  'file.reveal': (given: { id: number }) => null;
  'file.want': (given: { id: number; wanted: boolean }) => null;
  /** `confirm`: what was held back is to be done. */
  'sync.now': (given?: { confirm?: boolean }) => null;
  'sync.status': () => SyncStatus;
  /** Everything the local store holds of one item, for the curious and for tests. */
  'store.item': (given: { kind: Change['kind']; id: number }) => Json | null;
}

export type Channel = keyof Channels;
export type Given<C extends Channel> = Parameters<Channels[C]>[0];
export type Answer<C extends Channel> = ReturnType<Channels[C]>;

/** Pushed from the system to the ui: the named parts of the store changed, read them again. */
export interface Notice {
  readonly changed: readonly ('status' | 'planner' | 'courses' | 'files' | 'announcements' | 'inbox' | 'account' | 'news')[];
}
