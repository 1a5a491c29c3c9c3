// When to remind the user of due work: a day before and an hour before, unless it is done. Pure.

import type { NoticeChoices, Reminder } from '../../contract/news';
import { isQuiet, quietSince, quietUntil } from './quiet';

const hour = 3_600_000;
const leads = [24, 1] as const;
/** A reminder that would be too late after the quiet hours is shown this long before them. */
const beforeQuiet = hour / 4;

/** A reminder in quiet hours is shown when they end; for work that is due by then, before they begin. */
function momentOf(due: Date, lead: number, quiet: NoticeChoices['quiet']): Date {
  const at = new Date(due.getTime() - lead * hour);
  if (!quiet || !isQuiet(quiet, at)) return at;
  const end = quietUntil(quiet, at);
  return end < due ? end : new Date(quietSince(quiet, at).getTime() - beforeQuiet);
}

export interface Reminding {
  readonly say: readonly Reminder[];
  /** The reminders that were shown for work that is not due yet, including this one. */
  readonly said: readonly string[];
  readonly again: Date | null;
}

/** One reminder for each work, however many were missed while the program was not running. */
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
