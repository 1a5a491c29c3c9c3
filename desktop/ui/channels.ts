// The one map from channel to signature by which the ui reaches the system. Hosts carry it: HTTP in the browser, IPC in Electron.

import type { Change } from '@carrel/shared/sync/protocol';
import type { ChoicesDraft, ChoicesView } from './views/choices';
import type { CourseCard, ModuleView } from './views/course';
import type { DiscussionCard, DiscussionView } from './views/discussions';
import type { FileView } from './views/files';
import type { GradesView } from './views/grades';
import type { Correspondence, GroupPeople, LetterCard, LetterFile, PersonCard } from './views/letters';
import type { NewsItem, NoticeChoices, Sayings } from './views/news';
import type { NoticeView } from './views/notices';
import type { DatedEntry, PlannerEntry } from './views/planner';
import type { Published, PublishPlan } from './views/publish';
import type { BookmarkView, Highlight, KeptAddress, Reading, Reference } from './views/reading';
import type { RecoveredFile } from './views/recovered';
import type { FoundKind, Hit } from './views/search';
import type { Account, BrowsingView, Leaving, SyncStatus } from './views/state';
import type { TemplateView } from './views/template';
import type { Surroundings, TransferRules, TransfersView } from './views/transfers';
import type { VerdictView } from './views/verdict';
import type { AskedForVersions, VersionKey, VersionReading, VersionsView } from './views/versions';
import type { OutboxItem, WorkType, WorkView } from './views/work';
import type { Unfinished, UnfinishedItem, WritingPlace } from './views/writing';

import type { Language } from './words/texts';

type Json = Readonly<Record<string, unknown>>;

/** Where it was written: there it is no more, in the same step. */
interface Finishing {
  readonly finished?: WritingPlace;
}

type NoteGiven = { title: string; details: string | null; todo_date: string; course_id: number | null } & Finishing;

export interface Channels {
  /** The language of the ui is that of reasons, of the command line and of the texts in the folder. */
  'language.speak': (given: { language: Language }) => null;
  'account.current': () => Account | null;
  /** Checks the token against the server; rejects with the server's reason. */
  'account.login': (given: { url: string; token: string; folder?: string }) => Account;
  /** All accounts of this device, side by side. */
  'accounts.list': () => readonly Account[];
  'account.show': (given: { id: string }) => null;
  /** Begins a sign-in by the browser, and says where that has to go; `client_id` is for servers that do not know the desk. */
  'account.browse': (given: { url: string; folder?: string; client_id?: string }) => { readonly address: string };
  'account.browsing': () => BrowsingView | null;
  'account.browse_stop': () => null;
  'account.leaving': (given: { id: string }) => Leaving;
  /** What was not sent stays on this device either way; `kept`: so many files stayed because they are the person's own. */
  'account.leave': (given: { id: string; files: 'keep' | 'remove' }) => { readonly kept: number };
  'today.list': (given: { from: string; to: string }) => readonly DatedEntry[];
  'note.create': (given: NoteGiven) => DatedEntry;
  'note.update': (given: { id: number } & NoteGiven) => DatedEntry;
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
  /** What the institution announces, until it is closed. */
  'notices.list': () => readonly NoticeView[];
  'notices.close': (given: { id: number }) => null;
  /** In everything that is kept here, by words as they begin; `kinds` counts them all, whatever kind was asked for. */
  'search.find': (given: { text: string; course_id: number | null; kind: FoundKind | null }) => {
    readonly kinds: Readonly<Record<FoundKind, number>>;
    readonly found: readonly Hit[];
    /** So many files are still to be read for their words. */
    readonly unread: number;
  };
  'inbox.list': () => readonly LetterCard[];
  'inbox.open': (given: { id: number }) => Correspondence | null;
  /** It has been before the person's eyes. */
  'inbox.seen': (given: { id: number }) => null;
  /** The person's own order in their letters; what is archived stays, and comes back with the next answer. */
  'inbox.star': (given: { id: number; starred: boolean }) => null;
  'inbox.archive': (given: { id: number; archived: boolean }) => null;
  'inbox.reply': (given: { id: number; text: string; files?: readonly LetterFile[] } & Finishing) => null;
  /** Copies a file of this computer, to go with a letter or a reply; the hosts alone say where it lies. */
  'letter.attach': (given: { name: string; path: string }) => LetterFile;
  /** People that the desk has heard of. */
  'inbox.people': () => readonly PersonCard[];
  /** Others that the server names: nobody, where it cannot be reached. */
  'inbox.find': (given: { text: string }) => readonly PersonCard[];
  'inbox.compose': (
    given: {
      to: readonly PersonCard[];
      subject: string;
      text: string;
      course_id: number | null;
      files?: readonly LetterFile[];
    } & Finishing,
  ) => null;
  'course.grades': (given: { course_id: number }) => GradesView;
  /** Who is in a group. */
  'group.people': (given: { course_id: number }) => GroupPeople;
  'course.discussions': (given: { course_id: number }) => readonly DiscussionCard[];
  'discussion.open': (given: { course_id: number; id: number }) => DiscussionView | null;
  /** These replies have been before the person's eyes. */
  'discussion.seen': (given: { course_id: number; id: number; replies: readonly number[] }) => null;
  'discussion.reply': (
    given: { course_id: number; id: number; parent_id: number | null; text: string; files?: readonly LetterFile[] } & Finishing,
  ) => null;
  /** What has changed since the person looked last, the latest first. */
  'news.list': () => readonly NewsItem[];
  /** It has been looked at, up to this one. */
  'news.seen': (given: { until: number }) => null;
  /** What is answered counts as said: nothing is said twice. */
  'notices.take': (given: { in_sight: boolean; can_say: boolean }) => Sayings;
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
  /** What is being written, wherever that may be, work too; what was touched last comes first. */
  'writing.list': () => readonly UnfinishedItem[];
  'writing.open': (given: { place: WritingPlace }) => Unfinished | null;
  /** Keeps what is written so far; null: there is nothing to be kept. */
  'writing.keep': (given: { place: WritingPlace; words: Unfinished | null }) => null;
  /** Whether it was still here to be taken back: words are then written on where they were. */
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
  /** What is kept on the server, by whatever program: each leads to a text or file that is here, or to the web. */
  'bookmarks.kept': () => readonly KeptAddress[];
  'bookmarks.mark': (given: { reference: Reference; marked: boolean; note: string }) => null;
  'bookmarks.highlight': (given: { reference: Reference; highlight: Highlight }) => null;
  'bookmarks.unhighlight': (given: { reference: Reference; id: string }) => null;
  'reader.open': (given: Reference) => Reading | null;
  /** The person has it before their eyes: an announcement is read from now on, and a module that asks to view it is told. */
  'reader.seen': (given: { kind: Exclude<Reference['kind'], 'syllabus'>; id: number }) => null;
  /** The texts that it has had, as far as they are known here. */
  'versions.list': (given: Reference) => VersionsView | null;
  /** Has the server tell what it keeps of them, and keeps that here. */
  'versions.ask': (given: Reference) => AskedForVersions;
  'versions.open': (given: { reference: Reference; key: VersionKey }) => VersionReading | null;
  'file.open': (given: { id: number }) => { readonly path: string; readonly url: string | null } | null;
  'file.reveal': (given: { id: number }) => null;
  'file.want': (given: { id: number; wanted: boolean }) => null;
  /** What is kept here; with a draft, or with a mark on one more course or folder, what would be. */
  'choices.look': (given?: { draft?: ChoicesDraft; mark?: { key: string; wanted: boolean } }) => ChoicesView;
  'choices.choose': (given: ChoicesDraft) => null;
  /** Reads every byte again; it takes as long as the disk needs. */
  'verify.run': () => VerdictView;
  /** Fetches these anew; what lies there is kept under another name. Answers when it is done. */
  'verify.repair': (given: { keys: readonly string[] }) => null;
  /** What syncs have replaced or removed here, newest first; kept for 30 days. */
  'recovered.list': () => readonly RecoveredFile[];
  /** Puts it back where it was, or beside what is there now. */
  'recovered.restore': (given: { number: number }) => { readonly file: string };
  /** For who teaches the course: whether files go both ways. */
  'publish.state': (given: { course_id: number }) => { readonly can: boolean; readonly on: boolean };
  'publish.switch': (given: { course_id: number; on: boolean }) => null;
  /** What would change in the course. Nothing does. */
  'publish.plan': (given: { course_id: number }) => PublishPlan;
  /** Does exactly what the plan says, or nothing. */
  'publish.do': (given: { course_id: number; plan: string }) => Published;
  /** In which folders the courses lie; with a template, in which they would. */
  'template.look': (given?: { template?: string }) => TemplateView;
  'template.choose': (given: { template: string }) => null;
  'transfers.look': () => TransfersView;
  'transfers.rule': (given: Partial<TransferRules>) => null;
  /** The host tells what it knows of the network and the battery. */
  'transfers.around': (given: Partial<Surroundings>) => null;
  /** `confirm`: what was held back is to be done. `urged`: this time files come though the network is metered or the battery is in use. */
  'sync.now': (given?: { confirm?: boolean; urged?: boolean }) => null;
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
