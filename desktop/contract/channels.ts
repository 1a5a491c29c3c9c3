// The only map of channels through which the UI reaches the engine. Hosts carry it over HTTP in the browser and IPC in Electron.

import type { Change } from '@carrel/shared/sync/protocol';
import type { Language } from '../language/texts';
import type { AuthoredBase, AuthoredPlace, AuthoredText, AuthoringView } from './authoring';
import type { CalendarFile, CalendarItem } from './calendar';
import type { ChoicesDraft, ChoicesView } from './choices';
import type { ConversationCard, ConversationReading, GroupPeople, MessageFile, PersonCard } from './conversations';
import type { CourseCard, ModuleView, PageCard, StudentChoice } from './course';
import type { DiscussionCard, RepliesView } from './discussions';
import type { FileVersionCard, FileVersionsView } from './file_versions';
import type { FileView } from './files';
import type { GradebookView, GradeEntry, GradingQueue, GradingView } from './gradebook';
import type { AssumedScore, GradesView } from './grades';
import type { FolderChoices, FolderGradePlan, FolderGradesSent, GradingFoldersState } from './grading_folders';
import type { NewsItem, NoticeChoices, Sayings } from './news';
import type { NoticeView } from './notices';
import type { OutcomeView } from './outcomes';
import type { DatedEntry, PlannerEntry } from './planner';
import type { OpenPoll, PollView } from './polls';
import type { Published, PublishPlan } from './publish';
import type { AttemptView, QuizAnswer, QuizFacts, QuizResults, QuizView } from './quizzes';
import type { BookmarkView, Highlight, KeptAddress, Reading, Reference } from './reading';
import type { RecoveredFile } from './recovered';
import type { FoundKind, Hit } from './search';
import type { BrowsingView, DeskAccount, Leaving, SyncStatus } from './state';
import type { TaughtAssignment, TeachingView } from './teaching';
import type { TemplateView } from './template';
import type { TransferConditions, TransferRules, TransfersView } from './transfers';
import type { VerdictView } from './verdict';
import type { VersionKey, VersionReading, VersionsAvailability, VersionsView } from './versions';
import type { OutboxItem, WorkType, WorkView } from './work';
import type { Unfinished, UnfinishedItem, WritingPlace } from './writing';

type Json = Readonly<Record<string, unknown>>;

/** The place where it was written; the draft there is deleted in the same transaction. */
interface Finishing {
  readonly finished?: WritingPlace;
}

type NoteGiven = { title: string; details: string | null; todo_date: string; course_id: number | null } & Finishing;

export interface Channels {
  /** Sets the language for the UI, error messages, the command line and the documents in the study folder. */
  'language.speak': (given: { language: Language }) => null;
  'account.current': () => DeskAccount | null;
  /** Checks the token on the server; rejects with the server's reason. */
  'account.login': (given: { url: string; token: string; folder?: string }) => DeskAccount;
  /** All accounts on this computer. */
  'accounts.list': () => readonly DeskAccount[];
  'account.show': (given: { id: string }) => null;
  /** Starts a browser sign-in and returns the address to open; `client_id` is for servers where Carrel is not registered. */
  'account.browse': (given: { url: string; folder?: string; client_id?: string }) => { readonly address: string };
  'account.browsing': () => BrowsingView | null;
  'account.browse_stop': () => null;
  'account.leaving': (given: { id: string }) => Leaving;
  /** Unsent changes stay on this computer in either case; `kept` counts the files kept because the user edited them. */
  'account.leave': (given: { id: string; files: 'keep' | 'remove' }) => { readonly kept: number };
  'today.list': (given: { from: string; to: string }) => readonly DatedEntry[];
  /** What waits for the user in the courses that they teach; null if they teach none. */
  'today.teaching': () => TeachingView | null;
  /** For the system's calendar program; null if the item has no date. */
  'calendar.file': (given: CalendarItem) => CalendarFile | null;
  'note.create': (given: NoteGiven) => DatedEntry;
  'note.update': (given: { id: number } & NoteGiven) => DatedEntry;
  'note.delete': (given: { id: number }) => null;
  'planner.mark': (given: { plannable_type: PlannerEntry['plannable_type']; plannable_id: number; marked_complete: boolean }) => null;
  'courses.list': () => readonly CourseCard[];
  /** The students whom the user observes; one is chosen at a time. */
  'students.list': () => readonly StudentChoice[];
  'students.choose': (given: { id: number }) => null;
  'course.modules': (given: { course_id: number }) => readonly ModuleView[];
  /** `viewed` is for items that the desk does not show itself; for the others `reader.seen` records it. */
  'module.mark': (given: { item_id: number; module_id: number; course_id: number; as: 'viewed' | 'done' | 'not done' }) => null;
  'course.pages': (given: { course_id: number }) => readonly PageCard[];
  'course.assignments': (given: { course_id: number }) => readonly PlannerEntry[];
  /** As teachers see them. */
  'course.taught_assignments': (given: { course_id: number }) => readonly TaughtAssignment[];
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
  /** Queues a new announcement of a course that the user teaches. */
  'announcement.post': (given: { course_id: number; title: string; text: string } & Finishing) => null;
  /** Announcements of the institution that have not been closed. */
  'notices.list': () => readonly NoticeView[];
  'notices.close': (given: { id: number }) => null;
  /** Searches everything on this computer by word prefixes; `kinds` counts all results, whatever kind was requested. */
  'search.find': (given: { text: string; course_id: number | null; kind: FoundKind | null }) => {
    readonly kinds: Readonly<Record<FoundKind, number>>;
    readonly found: readonly Hit[];
    /** The number of files that are not indexed yet. */
    readonly unread: number;
  };
  'inbox.list': () => readonly ConversationCard[];
  'inbox.open': (given: { id: number }) => ConversationReading | null;
  /** Records that the user has seen it. */
  'inbox.seen': (given: { id: number }) => null;
  /** Stars or archives a conversation; an archived one returns to the inbox with the next reply. */
  'inbox.star': (given: { id: number; starred: boolean }) => null;
  'inbox.archive': (given: { id: number; archived: boolean }) => null;
  'inbox.reply': (given: { id: number; text: string; files?: readonly MessageFile[] } & Finishing) => null;
  /** Copies a local file so that it can be attached to a message or reply; only hosts pass a path. */
  'letter.attach': (given: { name: string; path: string }) => MessageFile;
  /** People that this computer knows. */
  'inbox.people': () => readonly PersonCard[];
  /** People found on the server; empty when it cannot be reached. */
  'inbox.find': (given: { text: string }) => readonly PersonCard[];
  'inbox.compose': (
    given: {
      to: readonly PersonCard[];
      subject: string;
      text: string;
      course_id: number | null;
      files?: readonly MessageFile[];
      /** Everyone gets a conversation of their own, and does not see who else got it. */
      individually?: boolean;
    } & Finishing,
  ) => null;
  /**
   * `what_if`: scores that the user assumes, null for none; nothing of them is stored.
   * `grading_period_id`: only the work of that period.
   */
  'course.grades': (given: { course_id: number; what_if?: readonly AssumedScore[]; grading_period_id?: number }) => GradesView;
  /** Null: the user grades nothing in this course. */
  'gradebook.open': (given: { course_id: number }) => GradebookView | null;
  /** Brings the students' work of a course to this computer, or removes it; unsent grades stay. */
  'gradebook.choose': (given: { course_id: number; chosen: boolean }) => null;
  /** Stores what was entered and queues it, for one student or several; returns the ids for `outbox.take_back`. Rejects a grade that cannot be one. */
  'gradebook.enter': (
    given: {
      course_id: number;
      assignment_id: number;
      entries: readonly ({ readonly user_id: number } & GradeEntry)[];
    } & Finishing,
  ) => readonly string[];
  /** Shows the grades of an assignment to its students, or hides them; `graded_only` shows those who have a grade. Needs the server. */
  'gradebook.post': (given: { course_id: number; assignment_id: number; shown: boolean; graded_only?: boolean }) => null;
  'grading.queue': (given: { course_id: number; assignment_id: number }) => GradingQueue | null;
  'grading.open': (given: { course_id: number; assignment_id: number; user_id: number }) => GradingView | null;
  /** Ends a conflict: `mine` sends the entered grade for the present state, `theirs` drops it. */
  'grading.resolve': (given: { id: string; with: 'mine' | 'theirs' }) => null;
  /** For people who grade in the course: whether its students' work is in folders, too. */
  'folders.state': (given: { course_id: number }) => GradingFoldersState;
  /** Turned on, the course is chosen for grading as well. */
  'folders.switch': (given: { course_id: number; on: boolean }) => null;
  /** Shows the folder in the system's file manager. */
  'folders.reveal': (given: { course_id: number }) => null;
  /** A preview of what would be sent from the folders. */
  'folders.plan': (given: { course_id: number }) => FolderGradePlan;
  /** Sends what is chosen of exactly this plan, or nothing. */
  'folders.send': (given: { course_id: number; plan: string; choices: FolderChoices }) => FolderGradesSent;
  /** The members of a group. */
  'group.people': (given: { course_id: number }) => GroupPeople;
  'course.discussions': (given: { course_id: number }) => readonly DiscussionCard[];
  'discussion.open': (given: { course_id: number; id: number }) => RepliesView | null;
  /** Records that the user has seen these replies. */
  'discussion.seen': (given: { course_id: number; id: number; replies: readonly number[] }) => null;
  'discussion.reply': (
    given: { course_id: number; id: number; parent_id: number | null; text: string; files?: readonly MessageFile[] } & Finishing,
  ) => null;
  /** What has changed since the user last looked, newest first. */
  'news.list': () => readonly NewsItem[];
  /** Marks all changes up to this one as seen. */
  'news.seen': (given: { until: number }) => null;
  /** Returned notifications count as shown, so that none appears twice. */
  'notices.take': (given: { in_sight: boolean; can_say: boolean }) => Sayings;
  'notices.choices': () => NoticeChoices;
  'notices.choose': (given: NoticeChoices) => null;
  /** A text of an author; null: the user may not change it, or it is not here. */
  'authoring.open': (given: AuthoredPlace) => AuthoringView | null;
  /** Queues the text. `base`: what the author began with; null for a new one. `files`: images that are not on the server yet. */
  'authoring.save': (
    given: AuthoredPlace & { text: AuthoredText; base: AuthoredBase | null; files?: readonly MessageFile[] } & Finishing,
  ) => null;
  /**
   * Decides on a text that was refused or changed meanwhile: `text` sends it for the state that was shown, `draft` makes it a draft again,
   * `new` sends it as a new one. Returns whether it was still unsent.
   */
  'authoring.resolve': (given: { id: string; as: 'text' | 'draft' | 'new'; text?: AuthoredText }) => boolean;
  /** An image that is not sent yet, as an address with its bytes; null: its bytes are gone. */
  'authoring.image': (given: { sha256: string }) => string | null;
  'work.open': (given: { course_id: number; id: number }) => WorkView | null;
  /** Saves the draft. */
  'work.write': (given: { course_id: number; id: number; type: WorkType; text: string; url: string }) => null;
  /** Copies a local file into the submission draft; only hosts pass a path. */
  'work.attach': (given: { course_id: number; id: number; name: string; path: string }) => null;
  'work.detach': (given: { course_id: number; id: number; sha256: string }) => null;
  /** Moves the draft to the outbox, which the next sync sends. */
  'work.hand_in': (given: { course_id: number; id: number }) => null;
  'poll.list': () => readonly OpenPoll[];
  /** Asks the server. Null for a poll that is closed. */
  'poll.open': (given: { id: number }) => PollView | null;
  'poll.vote': (given: { id: number; choice_id: number }) => null;
  'course.outcomes': (given: { course_id: number }) => readonly OutcomeView[];
  'quiz.list': (given: { course_id: number }) => readonly QuizFacts[];
  'quiz.open': (given: { course_id: number; id: number }) => QuizView | null;
  /** Starts an attempt, or continues the one that runs; needs the server, and rejects with its reason. */
  'quiz.start': (given: { course_id: number; id: number; access_code?: string }) => null;
  /** Null: no attempt runs here. */
  'quiz.attempt': (given: { id: number }) => AttemptView | null;
  /** Stores the answer, and sends it soon. */
  'quiz.answer': (given: { id: number; question_id: number; answer: QuizAnswer }) => null;
  /** Shows the next question, where a quiz shows one at a time. */
  'quiz.go_on': (given: { id: number }) => null;
  'quiz.flag': (given: { id: number; question_id: number; flagged: boolean }) => null;
  /** Hands the attempt in once its answers are sent. */
  'quiz.turn_in': (given: { id: number }) => null;
  /** Removes an attempt that is over, with the answers that came too late. */
  'quiz.forget': (given: { id: number }) => null;
  /** Asks the server; rejects when it cannot be reached. */
  'quiz.results': (given: { course_id: number; id: number; attempt?: number }) => QuizResults;
  /** All drafts, submissions included, last edited first. */
  'writing.list': () => readonly UnfinishedItem[];
  'writing.open': (given: { place: WritingPlace }) => Unfinished | null;
  /** Saves the draft; null deletes it. */
  'writing.keep': (given: { place: WritingPlace; words: Unfinished | null }) => null;
  /** Returns whether it was still unsent; its text is then a draft again. */
  'outbox.take_back': (given: { id: string }) => boolean;
  /** Everything that waits to be sent, in sending order. */
  'outbox.list': () => readonly OutboxItem[];
  /** Returns whether it could be moved: changes to one item keep their order. */
  'outbox.move': (given: { id: string; by: 'up' | 'down' }) => boolean;
  /** Tries again to send a rejected change. */
  'outbox.retry': (given: { id: string }) => boolean;
  'bookmarks.list': () => readonly (BookmarkView & {
    readonly reference: Reference;
    readonly title: string;
    readonly course_name: string | null;
    readonly changed_at: string;
  })[];
  /** Bookmarks stored on the server, by any program; each links to an item on this computer or to the web. */
  'bookmarks.kept': () => readonly KeptAddress[];
  'bookmarks.mark': (given: { reference: Reference; marked: boolean; note: string }) => null;
  'bookmarks.highlight': (given: { reference: Reference; highlight: Highlight }) => null;
  'bookmarks.unhighlight': (given: { reference: Reference; id: string }) => null;
  'reader.open': (given: Reference) => Reading | null;
  /** Records that the user has opened it: marks an announcement as read and fulfils a "view" requirement. */
  'reader.seen': (given: { kind: Exclude<Reference['kind'], 'syllabus'>; id: number }) => null;
  /** The earlier versions of a text that are known here. */
  'versions.list': (given: Reference) => VersionsView | null;
  /** Loads the server's list of versions and stores it here. */
  'versions.ask': (given: Reference) => VersionsAvailability;
  'versions.open': (given: { reference: Reference; key: VersionKey }) => VersionReading | null;
  /** Asks the server, which keeps earlier versions of a file for 30 days; null for a file that the desk does not know. */
  'file.versions': (given: { id: number }) => FileVersionsView | null;
  /** `current`: the version that is to be replaced; with another on the server nothing is done. */
  'file.version_restore': (given: { id: number; version_id: number; current: number | null }) => null;
  /** Puts a copy of the version beside the file. */
  'file.version_save': (given: { id: number; version: FileVersionCard }) => { readonly file: string };
  'file.open': (given: { id: number }) => { readonly path: string; readonly url: string | null } | null;
  'file.reveal': (given: { id: number }) => null;
  'file.want': (given: { id: number; wanted: boolean }) => null;
  /** What is kept on this computer; with a draft, or with a changed course or folder, a preview. */
  'choices.look': (given?: { draft?: ChoicesDraft; mark?: { key: string; wanted: boolean } }) => ChoicesView;
  'choices.choose': (given: ChoicesDraft) => null;
  /** Reads every file byte by byte; the duration depends on the disk. */
  'verify.run': () => VerdictView;
  /** Downloads these files again; an existing file is kept under another name. Resolves when it is done. */
  'verify.repair': (given: { keys: readonly string[] }) => null;
  /** What a sync has replaced or removed here, newest first; kept for 30 days. */
  'recovered.list': () => readonly RecoveredFile[];
  /** Restores it to its old path, or next to the file that is there now. */
  'recovered.restore': (given: { number: number }) => { readonly file: string };
  /** For teachers of the course: whether two-way sync is on. */
  'publish.state': (given: { course_id: number }) => { readonly can: boolean; readonly on: boolean };
  'publish.switch': (given: { course_id: number; on: boolean }) => null;
  /** A preview of what would change in the course. */
  'publish.plan': (given: { course_id: number }) => PublishPlan;
  /** Applies exactly this plan, or nothing. */
  'publish.do': (given: { course_id: number; plan: string }) => Published;
  /** The folders of the courses; with a template, a preview. */
  'template.look': (given?: { template?: string }) => TemplateView;
  'template.choose': (given: { template: string }) => null;
  'transfers.look': () => TransfersView;
  'transfers.rule': (given: Partial<TransferRules>) => null;
  /** The host reports the state of the network and the battery. */
  'transfers.around': (given: Partial<TransferConditions>) => null;
  /** `confirm`: also do what was held back. `urged`: transfer files this time even on a metered network or on battery. */
  'sync.now': (given?: { confirm?: boolean; urged?: boolean }) => null;
  'sync.status': () => SyncStatus;
  /** Everything that the local store has about one item, for debugging and tests. */
  'store.item': (given: { kind: Change['kind']; id: number }) => Json | null;
}

export type Channel = keyof Channels;

export type ChannelParams<C extends Channel> = Parameters<Channels[C]>[0];

export type ChannelResult<C extends Channel> = ReturnType<Channels[C]>;

/** The parts of the store that the UI reads and that change together. */
export type ChangedArea = 'status' | 'planner' | 'courses' | 'files' | 'announcements' | 'inbox' | 'account' | 'news';

/** Pushed from the engine to the UI: these areas have changed and need to be read again. */
export interface ChangeNotice {
  readonly changed: readonly ChangedArea[];
}
