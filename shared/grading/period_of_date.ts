// Which grading period a date is in (reference 03 §10). Pure.

export interface PeriodDates {
  readonly start_date: string;
  readonly end_date: string;
  readonly close_date: string;
}

/** Seconds are ignored, so that a period may end at 23:59 and the next one start at that minute. */
export const minuteOf = (time: string): string => time.slice(0, 16);

const contains = ({ start_date, end_date }: PeriodDates, date: string): boolean =>
  minuteOf(start_date) < minuteOf(date) && minuteOf(date) <= minuteOf(end_date);

/** The period that ends last. */
export const lastPeriod = <P extends PeriodDates>(periods: readonly P[]): P | undefined =>
  periods.reduce<P | undefined>((last, one) => (last && last.end_date >= one.end_date ? last : one), undefined);

/** The period of a due date; without a due date, the last one. */
export const periodOf = <P extends PeriodDates>(periods: readonly P[], due_at: string | null): P | undefined =>
  due_at === null ? lastPeriod(periods) : periods.find((one) => contains(one, due_at));
