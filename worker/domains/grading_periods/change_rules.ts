// Whether the periods of a set are valid together (reference 03 §10).

import type { PeriodDates } from '@carrel/shared/grading/period_of_date';
import { overlaps } from '../../rules/grading_periods';

/** A period as sent: only the fields to change. */
export interface PeriodGiven {
  readonly id?: number;
  readonly title?: string;
  readonly start_date?: string | null;
  readonly end_date?: string | null;
  readonly close_date?: string | null;
  readonly weight?: number | null;
}

/** A period after the change; one without an id is new. */
export interface PeriodDraft extends PeriodDates {
  readonly id: number | undefined;
  readonly title: string;
  readonly weight: number | null;
}

type Stored = Omit<PeriodDraft, 'id'> & { readonly id: number };

const after = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given);

/** @param isOfCourse periods of a course close when they end */
export function draftOf(given: PeriodGiven, before: Stored | undefined, isOfCourse: boolean): PeriodDraft {
  const end_date = given.end_date ?? before?.end_date ?? '';
  // A close date that was the end stays the end; a blank one becomes it.
  const kept = before && before.close_date !== before.end_date ? before.close_date : null;
  return {
    id: before?.id,
    title: after(given.title, before?.title ?? ''),
    start_date: given.start_date ?? before?.start_date ?? '',
    end_date,
    close_date: isOfCourse ? end_date : (after(given.close_date, kept) ?? end_date),
    weight: after(given.weight, before?.weight ?? null),
  };
}

function errorsOf({ title, start_date, end_date, close_date, weight }: PeriodDraft): string[] {
  return [
    ...(title.trim() === '' ? ["Title can't be blank"] : []),
    ...(title.length > 255 ? ['Title is too long'] : []),
    ...(start_date === '' ? ["Start date can't be blank"] : []),
    ...(end_date === '' ? ["End date can't be blank"] : []),
    ...(start_date !== '' && end_date !== '' && start_date.slice(0, 16) >= end_date.slice(0, 16)
      ? ['End date must be after start date']
      : []),
    ...(end_date !== '' && close_date < end_date ? ['Close date must be on or after end date'] : []),
    ...(weight !== null && weight < 0 ? ['Weight must not be negative'] : []),
  ];
}

/** The reasons why a set cannot have these periods; empty when it can. */
export function errorsOfPeriods(periods: readonly PeriodDraft[]): string[] {
  const own = periods.flatMap(errorsOf);
  if (own.length > 0) return own;
  const clash = periods.some((one, at) => periods.slice(at + 1).some((other) => overlaps(one, other)));
  return clash ? ['Grading periods cannot overlap'] : [];
}
