// Which notifications to show now: each one once, whichever client asks and however often the program is restarted.

import type { DeskNotification, NewsItem, NoticeChoices, Reminder } from '../../contract/news';
import type { Workspace } from '../accounts/workspace';
import { place } from '../model/places';
import type { AssignmentJson, EnrollmentJson, TopicJson } from '../model/resources';
import { isQuiet, quietUntil } from '../news/quiet';
import { remind } from '../news/reminders';
import { topicOf } from '../news/topics';
import { stored } from '../store/damage';
import { newsItems } from './news';
import { isDated, plannerEntries } from './planner';

/** More at once are combined into one. */
const mostAlone = 3;
const choicesSetting = 'notices';
const remindedSetting = 'reminded';
/** The last news item that was shown, seen or not wanted. Stored with the news itself. */
const saidNote = 'said';

const usual: NoticeChoices = {
  enabled: false,
  about: { due: true, grades: true, dates: true, announcements: true, messages: true, discussions: false, content: false },
  quiet: { from: '22:00', to: '07:00' },
};

export function noticeChoices({ user }: Pick<Workspace, 'user'>): NoticeChoices {
  const kept = stored<Partial<NoticeChoices>>(user.setting(choicesSetting) ?? '{}');
  return { ...usual, ...kept, about: { ...usual.about, ...kept.about } };
}

export function chooseNotices(workspace: Workspace, choices: NoticeChoices): void {
  // News from before notifications were switched on is not shown all at once.
  if (!noticeChoices(workspace).enabled) workspace.cache.note(saidNote, String(workspace.cache.news.latest()));
  workspace.user.set(choicesSetting, JSON.stringify(choices));
}

interface Listening {
  /** The desk is visible: the user sees what is new there. */
  readonly in_sight: boolean;
  readonly can_say: boolean;
}

interface Heard {
  readonly say: readonly DeskNotification[];
  readonly again: Date | null;
}

/** What is returned counts as shown. */
export function sayings(study: Workspace, { in_sight, can_say }: Listening): Heard {
  const { cache, user } = study;
  const now = study.now();
  const { enabled, about, quiet } = noticeChoices(study);
  const said = cache.noted(saidNote);
  const latest = cache.news.latest();
  // What existed before the first sync is not news.
  const isMuted = !enabled || said === undefined;
  if (isMuted || in_sight) cache.note(saidNote, String(latest));
  if (!enabled || !can_say) return { say: [], again: null };
  if (quiet && isQuiet(quiet, now)) return { say: [], again: quietUntil(quiet, now) };

  const fresh = isMuted || in_sight ? [] : newsItems(study, Number(said)).filter(({ what }) => about[topicOf[what]]);
  cache.note(saidNote, String(latest));
  if (!about.due) return { say: noticesOf(fresh.toReversed(), quiet), again: null };
  const due = remind(worksOf(study), stored<string[]>(user.setting(remindedSetting) ?? '[]'), quiet, now);
  const kept = JSON.stringify(due.said);
  if (kept !== (user.setting(remindedSetting) ?? '[]')) user.set(remindedSetting, kept);
  return {
    say: [...due.say.map((one): DeskNotification => ({ of: 'due', due: one })), ...noticesOf(fresh.toReversed(), quiet)],
    again: due.again,
  };
}

function noticesOf(items: readonly NewsItem[], quiet: NoticeChoices['quiet']): DeskNotification[] {
  const isFromQuiet = items.some(({ at }) => isQuiet(quiet, new Date(at)));
  if (items.length > mostAlone || (isFromQuiet && items.length > 1)) return [{ of: 'several', items, quiet: isFromQuiet }];
  return items.map((item) => ({ of: 'news', item }));
}

/** The work that the user still has to hand in, in the courses that they study. */
function worksOf(workspace: Workspace): Reminder[] {
  const { cache, outbox } = workspace;
  const onTheirWay = new Set(outbox.pending().flatMap(({ verb, body }) => (verb === 'hand in' ? [body.assignment_id] : [])));
  const studied = new Set(
    cache
      .all<EnrollmentJson & { course_id?: number }>('enrollment')
      .flatMap(({ type, course_id }) => (type === 'StudentEnrollment' && course_id ? [course_id] : [])),
  );
  return plannerEntries(workspace)
    .filter(isDated)
    .flatMap(({ plannable_type, plannable_id, course_id, title, date, submitted, marked_complete }): Reminder[] => {
      if (course_id === null || !studied.has(course_id) || submitted || marked_complete) return [];
      const assignment_id =
        plannable_type === 'assignment'
          ? plannable_id
          : plannable_type === 'discussion_topic'
            ? cache.get<TopicJson>('discussion_topic', plannable_id)?.assignment_id
            : undefined;
      if (assignment_id == null || onTheirWay.has(assignment_id)) return [];
      const { due_at } = cache.get<AssignmentJson>('assignment', assignment_id) ?? {};
      if (due_at !== date) return [];
      return [{ course_id, assignment_id, title, course_name: place(cache, course_id)?.name ?? null, due_at: date }];
    });
}
