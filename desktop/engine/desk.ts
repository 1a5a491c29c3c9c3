// The desk: every channel of the UI, answered from the local store, online or offline.

import type { ChangedArea, ChangeNotice, Channel } from '../contract/channels';
import type { SyncStatus } from '../contract/state';
import { displayLanguage, t } from '../language/texts';
import { fileSecrets, type Secrets } from './accounts/account';
import type { Workspace } from './accounts/workspace';
import { AccountSessions, allAreas } from './channels/accounts';
import { authoringChannels } from './channels/authoring';
import { bookmarkChannels } from './channels/bookmarks';
import { choiceChannels } from './channels/choices';
import { courseChannels } from './channels/courses';
import { discussionChannels } from './channels/discussions';
import { fileVersionChannels } from './channels/file_versions';
import { gradingChannels } from './channels/grading';
import { gradingFolderChannels } from './channels/grading_folders';
import type { ChannelGroup, ChannelGroupContext } from './channels/group';
import { inboxChannels } from './channels/inbox';
import { newsChannels } from './channels/news';
import { outboxChannels } from './channels/outbox';
import { numberedEntries, plannerChannels } from './channels/planner';
import { pollChannels } from './channels/polls';
import { publishChannels } from './channels/publish';
import { quizChannels } from './channels/quizzes';
import { readerChannels } from './channels/reader';
import { recoveryChannels } from './channels/recovered';
import { transferChannels } from './channels/transfers';
import { verifyChannels } from './channels/verify';
import { versionChannels } from './channels/versions';
import { workChannels } from './channels/work';
import { writingChannels } from './channels/writing';
import type { Trash } from './disk/disk';
import { type Clock, systemClock } from './server/session';
import { speakAsChosen, storeLanguage } from './store/chosen_language';
import { isDamage } from './store/damage';
import { lock } from './store/program_lock';
import { type ReaderOptions, WordReader } from './text/extract/reader';
import { usualReading } from './text/extract/worker_path';

export type Desk = ChannelGroup<Channel> & {
  /** Returns a function that stops listening. */
  readonly onNotice: (listener: (notice: ChangeNotice) => void) => () => void;
  readonly close: () => Promise<void>;
};

interface Opening {
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
  readonly reading?: ReaderOptions;
  /** The trash of the host system. */
  readonly trash?: Trash;
}

export async function openDesk(opening: Opening): Promise<Desk> {
  const { store, clock = systemClock, http, isManual = false } = opening;
  const words = opening.reading ?? (isManual ? undefined : usualReading());
  const secrets = opening.secrets ?? fileSecrets(store);
  speakAsChosen(store);
  const unlock = lock(store);
  const listeners = new Set<(notice: ChangeNotice) => void>();
  const tell = (changed: readonly ChangedArea[]): void => {
    if (changed.length > 0) for (const listener of listeners) listener({ changed });
  };
  const seats = new AccountSessions({
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
  const desk: Desk = {
    ...channelsOf(store, seats, tell),
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

/** All channels, by subject. */
function channelsOf(store: string, seats: AccountSessions, tell: (changed: readonly ChangedArea[]) => void): ChannelGroup<Channel> {
  const here = (): Workspace => {
    const { study } = seats.shown ?? {};
    if (!study) throw new Error(t('why.signedOut'));
    return study;
  };
  const syncSoon = (): void => seats.shown?.syncSoon();
  const changing = (...parts: readonly ChangedArea[]) => ({ here, changed: () => tell(parts), syncSoon });
  const editing = (...parts: readonly ChangedArea[]): ChannelGroupContext => ({
    here,
    edited: () => {
      tell(parts);
      syncSoon();
    },
  });
  const inCourses = editing('announcements', 'courses', 'status');
  return {
    ...seats.channels,
    ...plannerChannels(editing('planner', 'status')),
    ...courseChannels({ ...inCourses, chosen: () => tell(['courses', 'planner', 'announcements']) }),
    ...gradingChannels(editing('courses', 'status')),
    ...quizChannels({ ...editing('courses', 'planner', 'status'), noted: () => tell(['courses']) }),
    ...pollChannels(editing('courses')),
    ...authoringChannels(editing('courses', 'status')),
    ...gradingFolderChannels(editing('courses', 'files', 'status')),
    ...discussionChannels(inCourses),
    ...inboxChannels(editing('inbox', 'status')),
    ...readerChannels({ ...inCourses, chosen: editing('files').edited }),
    ...workChannels(changing('courses', 'planner', 'status')),
    ...writingChannels({ ...changing('courses', 'inbox', 'status'), numbered: (place) => numberedEntries(here(), place) }),
    ...bookmarkChannels(changing('courses')),
    ...newsChannels({ here, everywhere: seats.studies, tell, syncSoon }),
    ...publishChannels(changing('files')),
    ...verifyChannels({ here }),
    ...recoveryChannels(changing('files', 'status')),
    ...versionChannels(changing('courses')),
    ...fileVersionChannels(changing('files', 'status')),
    ...transferChannels({ ...changing('status'), everywhere: seats.studies, syncSoon: seats.syncSoon }),
    ...choiceChannels(changing('files', 'courses')),
    ...outboxChannels(changing(...allAreas)),
    'language.speak': async ({ language }) => {
      // The next sync writes the texts in the folder in the new language.
      if (storeLanguage(store, language, displayLanguage())) syncSoon();
      return null;
    },
    'sync.now': async ({ confirm = false, urged = false } = {}) => {
      void here()
        .sync({ isConfirmed: confirm, isUrged: urged })
        .catch(() => {});
      return null;
    },
    'sync.status': async () => seats.shown?.study.status() ?? signedOut,
    'store.item': async ({ kind, id }) => here().cache.get(kind, id) ?? here().cache.students.item(kind, id) ?? null,
  };
}

/** Repairs a damaged database when a channel finds it. The user is asked to wait, and notified of what changes. */
function mending(desk: Desk, shown: () => Workspace | undefined): Partial<Desk> {
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
