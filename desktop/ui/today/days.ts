// The planner sorted as a student asks for it: what is overdue, what is today, what comes. Pure.

import type { DatedEntry, PlannerEntry } from '../views/planner.ts';
import { dayOf } from '../words/dates.ts';

export interface Day {
  readonly day: string;
  readonly entries: readonly DatedEntry[];
}

export const isDone = (entry: PlannerEntry) => entry.marked_complete || entry.submitted || entry.graded;
/** Announcements and events pass; only work and notes wait for somebody, and work for those who learn. */
export const waitsForMe = ({ plannable_type, taught = false }: PlannerEntry) =>
  !taught && plannable_type !== 'announcement' && plannable_type !== 'calendar_event';
export const isOverdue = (entry: PlannerEntry, now: Date) =>
  waitsForMe(entry) && !isDone(entry) && entry.date !== null && new Date(entry.date) < now;

export const keyOf = (entry: PlannerEntry) => `${entry.plannable_type}-${entry.plannable_id}`;
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
    /** Past and not waiting any more, newest first. */
    earlier: past.filter((entry) => !isOverdue(entry, now)).reverse(),
    today: days.get(today) ?? [],
    coming: [...days].filter(([day]) => day > today).map(([day, found]): Day => ({ day, entries: found })),
  };
}
