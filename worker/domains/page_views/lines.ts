// A page view as a line of text, and the order of the lines in R2: by user, the newest first. Pure.

import type { RecordedView } from './view';

/** In the order of a line; the first three are its position. */
const fields = [
  'user_id',
  'created_at',
  'uuid',
  'real_user_id',
  'context_type',
  'context_id',
  'asset_type',
  'asset_id',
  'controller',
  'action',
  'participated',
  'user_request',
  'http_method',
  'url',
  'user_agent',
  'remote_ip',
  'app_name',
  'render_time',
] as const satisfies readonly (keyof RecordedView)[];

/** Where a view is in the order of a user's views. */
export interface ViewTime {
  readonly time: string;
  readonly uuid: string;
}

export interface ViewPosition extends ViewTime {
  readonly user: number;
}

export interface ViewLine extends ViewPosition {
  /** Ends with a line break. */
  readonly text: string;
}

/** Before every view of a second: no uuid is greater. */
export const newestUuid = '~';

export const lineOfView = (view: RecordedView): string => `${JSON.stringify(fields.map((name) => view[name]))}\n`;

export function viewOfLine(text: string): RecordedView {
  const values = JSON.parse(text) as unknown[];
  return Object.fromEntries(fields.map((name, nth) => [name, values[nth] ?? null])) as RecordedView;
}

/** The position is at the start of the line, so that sorting parses nothing. */
function lineOf(text: string): ViewLine {
  const [user = '', time = '', uuid = ''] = text.slice(1, 120).split(',', 3);
  return { user: Number(user), time: time.slice(1, -1), uuid: uuid.slice(1, -1), text: `${text}\n` };
}

export const linesIn = (text: string): ViewLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(lineOf);

/** Negative when the first is newer, zero for the same view. */
const byTime = (one: ViewTime, other: ViewTime): number => {
  if (one.time !== other.time) return one.time > other.time ? -1 : 1;
  if (one.uuid === other.uuid) return 0;
  return one.uuid > other.uuid ? -1 : 1;
};

export const isNewer = (one: ViewTime, other: ViewTime): boolean => byTime(one, other) < 0;

export const byPosition = (one: ViewPosition, other: ViewPosition): number => one.user - other.user || byTime(one, other);

/** Sorted lines without repetitions: an object may have been taken in twice. */
export const sortedLines = (lines: readonly ViewLine[]): ViewLine[] =>
  lines.toSorted(byPosition).filter((line, nth, all) => nth === 0 || byPosition(all[nth - 1] as ViewLine, line) !== 0);
