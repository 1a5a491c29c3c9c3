// The desk: every channel of the UI, answered from the local store, online or offline.

import type { Answer, Channel, Given, Notice } from '../contract/channels';
import type { DatedEntry, PlannerEntry } from '../contract/planner';
import type { SyncStatus } from '../contract/state';
import type { WritingPlace } from '../contract/writing';
import { spoken, t } from '../language/texts';
import { fileSecrets, type Secrets } from './accounts/account';
import type { Study } from './accounts/study';
import { everything, Seats } from './channels/accounts';
import { bookmarkChannels } from './channels/bookmarks';
import { choiceChannels, wantFile } from './channels/choices';
import { fileVersionChannels } from './channels/file_versions';
import { newsChannels } from './channels/news';
import { outboxChannels } from './channels/outbox';
import { publishChannels } from './channels/publish';
import { recoveryChannels } from './channels/recovered';
import { transferChannels } from './channels/transfers';
import { verifyChannels } from './channels/verify';
import { versionChannels } from './channels/versions';
import { workChannels } from './channels/work';
import { writingChannels } from './channels/writing';
import type { Trash } from './disk/disk';
import { places } from './model/places';
import type { NoteJson } from './model/resources';
import type { Part } from './model/shown_in';
import type { NoteBody } from './outbox/intents';
import { bodyOf } from './outbox/note_edits';
import { see } from './outbox/seen';
import { type Clock, systemClock } from './server/session';
import { chooseLanguage, speakAsChosen } from './store/chosen_language';
import { isDamage } from './store/damage';
import { lock } from './store/program_lock';
import { type Reading, WordReader } from './text/extract/reader';
import { usualReading } from './text/extract/worker_path';
import { announcements, courseCards, coursePages, moduleViews } from './views/courses';
import { courseDiscussions, discussion } from './views/discussions';
import { fileReading, pathOfFile } from './views/file_reading';
import { fileViews } from './views/files';
import { grades } from './views/grades';
import { correspondence, isUnread, letters } from './views/inbox';
import { groupPeople } from './views/people';
import { isDated, isNote, plannerEntries } from './views/planner';
import { reading } from './views/reading';

export type Desk = { readonly [C in Channel]: (given: Given<C>) => Promise<Answer<C>> } & {
  /** Returns a function that stops listening. */
  readonly onNotice: (listener: (notice: Notice) => void) => () => void;
  readonly close: () => Promise<void>;
};

export interface Opening {
  /** Where the databases are. */
  readonly store: string;
  /** The study folder if sign-in names none. */
  readonly folder?: string;
  readonly secrets?: Secrets;
  readonly clock?: Clock;
  readonly http?: typeof fetch;
  /** Syncs only when asked to: neither live nor at intervals. */
  readonly isManual?: boolean;
  /** How the words of files are read; by default in a thread of its own, unless everything is manual. */
  readonly reading?: Reading;
  /** The trash of the host system. */
  readonly trash?: Trash;
}

export async function openDesk(opening: Opening): Promise<Desk> {
  const { store, clock = systemClock, http, isManual = false } = opening;
  const words = opening.reading ?? (isManual ? undefined : usualReading());
  const secrets = opening.secrets ?? fileSecrets(store);
  speakAsChosen(store);
  const unlock = lock(store);
  const listeners = new Set<(notice: Notice) => void>();
  const tell = (changed: readonly Part[]): void => {
    if (changed.length > 0) for (const listener of listeners) listener({ changed });
  };
  const seats = new Seats({
    store,
    secrets,
    clock,
    http,
    reading: words && new WordReader(words),
    trash: opening.trash,
    usualFolder: opening.folder,
    isManual,
    tell,
  });
  await seats.open().catch((problem) => {
    unlock();
    throw problem;
  });
  const syncSoon = (): void => seats.shown?.syncSoon();
  const here = (): Study => {
    const { study } = seats.shown ?? {};
    if (!study) throw new Error(t('why.signedOut'));
    return study;
  };
  const entries = (courseId?: number): PlannerEntry[] => {
    const { cache, outbox, signedIn } = here();
    return plannerEntries(cache, outbox, signedIn.user_id, courseId);
  };
  const noteEntry = (id: number): DatedEntry => {
    const found = entries()
      .filter(isDated)
      .find(isNote(here().outbox.serverId(id)));
    if (!found) throw new Error(t('why.noteGone'));
    return found;
  };
  const numbered = (place: WritingPlace): WritingPlace =>
    place.kind === 'note' && place.id !== null ? { kind: 'note', id: here().outbox.serverId(place.id) } : place;
  const noteThere = (id: number): NoteBody | undefined => {
    const { cache, outbox } = here();
    const note = cache.get<NoteJson>('planner_note', outbox.serverId(id));
    return note && bodyOf(note);
  };
  const looked = (): void => {
    tell(['announcements', 'courses', 'status']);
    syncSoon();
  };
  const written = (): void => {
    tell(['inbox', 'status']);
    syncSoon();
  };
  const edited = (): void => {
    tell(['planner', 'status']);
    syncSoon();
  };

  const desk: Desk = {
    'language.speak': async ({ language }) => {
      // The next sync writes the texts in the folder in the new language.
      if (chooseLanguage(store, language, spoken())) syncSoon();
      return null;
    },
    ...seats.channels,
    'today.list': async ({ from, to }) => {
      const [first, last] = [Date.parse(from), Date.parse(to)];
      return entries()
        .filter(isDated)
        .filter(({ date }) => Date.parse(date) >= first && Date.parse(date) <= last);
    },
    'note.create': async ({ title, details, todo_date, course_id, finished }) => {
      const id = here().outbox.createNote({ title, details, todo_date, course_id }, finished);
      edited();
      return noteEntry(id);
    },
    'note.update': async ({ id, title, details, todo_date, course_id, finished }) => {
      noteEntry(id);
      here().outbox.updateNote(
        id,
        { title, details, todo_date, course_id },
        { finished: finished && numbered(finished), known: noteThere(id) },
      );
      edited();
      return noteEntry(id);
    },
    'note.delete': async ({ id }) => {
      here().outbox.deleteNote(id, noteThere(id));
      edited();
      return null;
    },
    'planner.mark': async ({ plannable_type, plannable_id, marked_complete }) => {
      const { outbox } = here();
      const id = plannable_type === 'planner_note' ? outbox.serverId(plannable_id) : plannable_id;
      outbox.mark({ plannable_type, plannable_id: id, marked_complete });
      edited();
      return null;
    },
    'courses.list': async () => {
      const { cache, outbox, signedIn } = here();
      return courseCards(cache, outbox, signedIn.user_id);
    },
    'course.modules': async ({ course_id }) => {
      const { cache, outbox } = here();
      return moduleViews(cache, outbox, course_id);
    },
    'module.mark': async ({ as, course_id, module_id, item_id }) => {
      here().outbox.markItem(verbs[as], { course_id, module_id, item_id });
      looked();
      return null;
    },
    'course.pages': async ({ course_id }) => coursePages(here().cache, course_id),
    'course.assignments': async ({ course_id }) => {
      const { cache } = here();
      const isWork = ({ plannable_type, plannable_id }: PlannerEntry) =>
        plannable_type === 'assignment' ||
        (plannable_type === 'discussion_topic' && !!cache.get<{ assignment_id?: number }>('discussion_topic', plannable_id)?.assignment_id);
      return entries(course_id).filter(isWork);
    },
    'course.files': async ({ course_id }) => {
      const { cache, user, account, downloading, failed } = here();
      return fileViews({ cache, user, account, downloading, failed }, course_id);
    },
    'announcements.list': async ({ course_id }) => {
      const { cache, outbox } = here();
      return announcements(cache, outbox, course_id);
    },
    'search.find': async (wish) => {
      const { cache, words } = here();
      const { kinds, found } = cache.find({ ...wish, limit: 40 });
      const names = new Map(places(cache).map(({ id, name }) => [id, name]));
      return {
        kinds,
        unread: words?.waiting ?? 0,
        found: found.map((hit) => ({ ...hit, course_name: hit.course_id === null ? null : (names.get(hit.course_id) ?? null) })),
      };
    },
    'inbox.list': async () => letters(here()),
    'inbox.open': async ({ id }) => correspondence(here(), id),
    'inbox.seen': async ({ id }) => {
      const { cache, outbox } = here();
      if (!isUnread(cache, outbox, id)) return null;
      outbox.openConversation(id);
      written();
      return null;
    },
    'inbox.star': async ({ id, starred }) => {
      here().outbox.star(id, starred);
      written();
      return null;
    },
    'inbox.archive': async ({ id, archived }) => {
      here().outbox.archive(id, archived);
      written();
      return null;
    },
    'inbox.reply': async ({ id, text, files = [], finished }) => {
      if (text.trim() === '') throw new Error(t('why.nothingWritten'));
      here().outbox.write({ conversation_id: id, text: text.trim(), files }, finished);
      written();
      return null;
    },
    'course.grades': async ({ course_id }) => grades(here(), course_id),
    'group.people': async ({ course_id }) => groupPeople(here().cache, -course_id, here().signedIn.user_id),
    'course.discussions': async ({ course_id }) => {
      const { cache, outbox } = here();
      return courseDiscussions(cache, outbox, course_id);
    },
    'discussion.open': async ({ course_id, id }) => discussion(here(), course_id, id),
    'discussion.seen': async ({ course_id, id, replies }) => {
      if (replies.length === 0) return null;
      here().outbox.readEntries({ course_id, topic_id: id, entry_ids: replies });
      looked();
      return null;
    },
    'discussion.reply': async ({ course_id, id, parent_id, text, files = [], finished }) => {
      if (text.trim() === '') throw new Error(t('why.nothingWritten'));
      here().outbox.reply({ course_id, topic_id: id, parent_id, text, files }, finished);
      looked();
      return null;
    },
    ...workChannels({ here, changed: () => tell(['courses', 'planner', 'status']), syncSoon }),
    ...writingChannels({ here, numbered, changed: () => tell(['courses', 'inbox', 'status']) }),
    ...bookmarkChannels({ here, changed: () => tell(['courses']) }),
    ...newsChannels({ here, everywhere: seats.studies, tell, syncSoon }),
    ...publishChannels({ here, changed: () => tell(['files']) }),
    ...verifyChannels({ here }),
    ...recoveryChannels({ here, changed: () => tell(['files', 'status']), syncSoon }),
    ...versionChannels({ here, changed: () => tell(['courses']) }),
    ...fileVersionChannels({ here, changed: () => tell(['files', 'status']), syncSoon }),
    ...transferChannels({ here, everywhere: seats.studies, changed: () => tell(['status']), syncSoon: seats.syncSoon }),
    ...choiceChannels({ here, changed: () => tell(['files', 'courses']), syncSoon }),
    ...outboxChannels({ here, changed: () => tell(everything), syncSoon }),
    'reader.open': async (reference) =>
      reference.kind === 'file' ? fileReading(here(), reference.id, reference.course_id) : reading(here(), reference),
    'reader.seen': async (seen) => {
      const { cache, outbox } = here();
      if (see(cache, outbox, seen)) looked();
      return null;
    },
    'file.open': async ({ id }) => {
      const path = pathOfFile(here().user, id);
      // The address depends on the host.
      return path === undefined ? null : { path, url: null };
    },
    'file.reveal': async () => null,
    'file.want': async ({ id, wanted }) => {
      wantFile(here(), `file:${id}`, wanted);
      tell(['files']);
      syncSoon();
      return null;
    },
    'sync.now': async ({ confirm = false, urged = false } = {}) => {
      void here()
        .sync({ isConfirmed: confirm, isUrged: urged })
        .catch(() => {});
      return null;
    },
    'sync.status': async () => seats.shown?.study.status() ?? signedOut,
    'store.item': async ({ kind, id }) => here().cache.get(kind, id) ?? null,
    onNotice: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => {
      await seats.close();
      unlock();
    },
  };
  return { ...desk, ...mending(desk, () => seats.shown?.study) };
}

/** Repairs a damaged database when a channel finds it. The user is asked to wait, and notified of what changes. */
function mending(desk: Desk, shown: () => Study | undefined): Partial<Desk> {
  const channels = Object.entries(desk).filter(([name]) => name.includes('.')) as [Channel, (given: never) => Promise<unknown>][];
  const mended = channels.map(([name, answer]) => [
    name,
    (given: never) =>
      answer(given).catch((problem: unknown) => {
        if (!isDamage(problem)) throw problem;
        void shown()
          ?.mend()
          .catch(() => {});
        throw new Error(t('why.storeDamaged'));
      }),
  ]);
  return Object.fromEntries(mended) as Partial<Desk>;
}

const verbs = { viewed: 'view', done: 'done', 'not done': 'undone' } as const;

const signedOut: SyncStatus = {
  phase: 'sign in',
  held_back: null,
  waiting: null,
  no_room: null,
  last_complete_at: null,
  done: 0,
  total: 0,
  bytes_done: 0,
  bytes_total: 0,
  pending_edits: 0,
  issues: [],
  folder: null,
  way: null,
  trouble: null,
  rebuilt_at: null,
  recovered: { files: 0, bytes: 0 },
};
