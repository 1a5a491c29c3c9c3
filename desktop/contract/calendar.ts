// An event or due date for the system's calendar program.

export interface CalendarItem {
  /** Of a graded discussion, the date is that of its assignment. */
  readonly kind: 'calendar_event' | 'assignment' | 'discussion_topic';
  readonly id: number;
}

/** A file in iCalendar format. `opened`: the host has already opened it. */
export interface CalendarFile {
  readonly name: string;
  readonly text: string;
  readonly opened?: boolean;
}
