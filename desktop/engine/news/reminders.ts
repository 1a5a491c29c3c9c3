// When to say that work is due: a day before and an hour before, unless it is done. Pure.

import type { NoticeChoices, Reminder } from '../../ui/views/news';
import { isQuiet, quietSince, quietUntil } from './quiet';

const hour = 3_600_000;
const leads = [24, 1] as const;
/** What would be too late after the quiet hours is said so long before them. */
const beforeQuiet = hour / 4;

/** Where that falls into quiet hours it is said when they end; what is due by then, before they begin. */
function momentOf(due: Date, lead: number, quiet: NoticeChoices['quiet']): Date {
  const at = new Date(due.getTime() - lead * hour);
  if (!quiet || !isQuiet(quiet, at)) return at;
  const end = quietUntil(quiet, at);
  return end < due ? end : new Date(quietSince(quiet, at).getTime() - beforeQuiet);
}

export interface Reminding {
  readonly say: readonly Reminder[];
  /** What has been said of work that is still to come, this time included. */
  readonly said: readonly string[];
  readonly again: Date | null;
}

/** Of each work once, however many moments have passed while nobody could say it. */
export function remind(works: readonly Reminder[], said: readonly string[], quiet: NoticeChoices['quiet'], now: Date): Reminding {
  const before = new Set(said);
  const kept: string[] = [];
  const say: Reminder[] = [];
  let again: Date | null = null;
  for (const work of works) {
    const due = new Date(work.due_at);
    if (!(due > now)) continue;
    let isNew = false;
    for (const lead of leads) {
      const at = momentOf(due, lead, quiet);
      const key = `${work.assignment_id} ${work.due_at} ${lead}`;
      if (at > now) {
        if (!again || at < again) again = at;
        continue;
      }
      isNew ||= !before.has(key);
      kept.push(key);
    }
    if (isNew) say.push(work);
  }
  return { say, said: kept, again };
}
