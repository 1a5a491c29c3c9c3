// Groups planner items into overdue, today and upcoming. Pure.

import type { DatedEntry, PlannerEntry } from '../../contract/planner.ts';
import { dayOf } from '../../language/dates.ts';

export interface Day {
  readonly day: string;
  readonly entries: readonly DatedEntry[];
}

export const isDone = (entry: PlannerEntry) => entry.marked_complete || entry.submitted || entry.graded;
/** Only notes, and assignments of one's own or of an observed student, can be overdue; announcements and events simply pass. */
export const waitsForMe = ({ plannable_type, taught = false }: PlannerEntry) =>
  !taught && plannable_type !== 'announcement' && plannable_type !== 'calendar_event';
/** An observer cannot tick off work that is handed in on paper, so only what the server reports as missing is overdue for a student. */
export const isOverdue = (entry: PlannerEntry, now: Date) =>
  waitsForMe(entry) && !isDone(entry) && (entry.observed ? entry.missing : entry.date !== null && new Date(entry.date) < now);
/** The marks of students are their own, and work that one teaches is never done. */
export const canMark = ({ plannable_type, taught = false, observed = false }: PlannerEntry) =>
  plannable_type === 'planner_note' || !(taught || observed);
/** What teachers have written for students does not wait on their own day. */
export const isPlanned = ({ plannable_type, taught = false }: PlannerEntry) =>
  !taught || (plannable_type !== 'announcement' && plannable_type !== 'wiki_page');

export const entryKeyOf = (entry: PlannerEntry) => `${entry.plannable_type}-${entry.plannable_id}`;
const inOrder = (a: DatedEntry, b: DatedEntry) => a.date.localeCompare(b.date) || a.plannable_id - b.plannable_id;

export function sorted(entries: readonly DatedEntry[], now: Date) {
  const today = dayOf(now);
  const days = new Map<string, DatedEntry[]>();
  for (const entry of [...entries].sort(inOrder)) {
    const day = dayOf(new Date(entry.date));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const past = [...days].filter(([day]) => day < today).flatMap(([, found]) => found);
  return {
    overdue: past.filter((entry) => isOverdue(entry, now)),
    /** Past and not overdue, newest first. */
    earlier: past.filter((entry) => !isOverdue(entry, now)).reverse(),
    today: days.get(today) ?? [],
    coming: [...days].filter(([day]) => day > today).map(([day, found]): Day => ({ day, entries: found })),
  };
}
