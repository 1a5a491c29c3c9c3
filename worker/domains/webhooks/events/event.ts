// The type of an event, and SQL for the fields of its body. Plain data, because the scripts that install triggers load it.

import { lookUp } from '@carrel/shared/wire/look_up';

/** A write of a row that is an event. */
export interface WebhookSource {
  readonly event: string;
  readonly table: string;
  readonly on: 'insert' | 'update';
  /** In the name of its trigger, where another source has the same event and table. */
  readonly as?: string;
  /** For updates: at least one of these columns must have changed. */
  readonly columns?: readonly string[];
  /** A condition over `new` and `old`. */
  readonly when?: string;
  /** SQL of the context; the course decides which subscriptions of courses receive it. */
  readonly context: WebhookPlace;
  /** SQL for the id of the user who caused the event, where the row names them. */
  readonly actor?: string;
  /** SQL that identifies the object whose events are in order; the row by default. */
  readonly object?: string;
  /** Names of fields, each with SQL that gives a JSON value. */
  readonly body: Readonly<Record<string, string>>;
  /** What the values are selected from, besides the row, and a condition on it. Both are evaluated only where someone subscribes to the event. */
  readonly from?: string;
  readonly where?: string;
}

export interface WebhookPlace {
  readonly type: string;
  readonly id: string;
  /** SQL for the course, or null. */
  readonly course: string;
  /** SQL for the account of what is in no course. */
  readonly account: string;
}

/** Texts are cut. */
const longestText = 8192;

/** Ids are strings. */
export const idSql = (sql: string): string => `cast(${sql} as text)`;
export const textSql = (sql: string): string => `substr(${sql}, 1, ${longestText})`;
export const flagSql = (sql: string): string => `json(iif((${sql}) is null, 'null', iif(${sql}, 'true', 'false')))`;
export const jsonSql = (sql: string): string => `json(${sql})`;

type Wire = (sql: string) => string;
const asIs: Wire = (sql) => sql;
const wire: Readonly<Record<string, Wire>> = { id: idSql, text: textSql, flag: flagSql, json: jsonSql, plain: asIs };

/** Columns of the new row under their own names, by kind of value. */
export const newRowFields = (
  columns: Readonly<Partial<Record<'id' | 'text' | 'flag' | 'json' | 'plain', string>>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([kind, names]) => names.split(' ').map((name) => [name, (lookUp(wire, kind) ?? asIs)(`new.${name}`)])),
  );

const rootAccount = '1';

export const placeInCourse = (course: string): WebhookPlace => ({ type: "'Course'", id: course, course, account: 'null' });
export const placeInAccount = (account: string): WebhookPlace => ({ type: "'Account'", id: account, course: 'null', account });
/** Of the whole institution: users, their logins and conversations. */
export const ofUser = (user: string): WebhookPlace => ({ type: "'User'", id: user, course: 'null', account: rootAccount });

/** Rows whose context may be a course, a group, an account or a user. */
export const placeInContext = (row = 'new'): WebhookPlace => ({
  type: `${row}.context_type`,
  id: `${row}.context_id`,
  course: `iif(${row}.context_type = 'Course', ${row}.context_id,
      iif(${row}.context_type = 'Group', (select g.context_id from groups g where g.id = ${row}.context_id and g.context_type = 'Course'), null))`,
  account: `iif(${row}.context_type = 'Account', ${row}.context_id,
      iif(${row}.context_type = 'Group', (select g.context_id from groups g where g.id = ${row}.context_id and g.context_type = 'Account'), ${rootAccount}))`,
});

/** An insert, and an update of the columns that the body shows. */
export const createdAndUpdated = (
  name: string,
  columns: readonly string[],
  rest: Omit<WebhookSource, 'event' | 'on' | 'columns'>,
): WebhookSource[] => [
  { event: `${name}_created`, on: 'insert', ...rest },
  { event: `${name}_updated`, on: 'update', columns, ...rest },
];
