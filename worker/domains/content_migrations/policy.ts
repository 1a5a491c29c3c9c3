// Which migrations a request is about, and who may see and start them.

import { and, eq, type SQL } from 'drizzle-orm';
import { may } from '../../contexts/rights';
import type { Call } from '../../http/call';
import { notFound } from '../../http/problem';
import type { MigrationContext } from './migrators';
import { content_migrations } from './table';

type Around = Pick<Call, 'course' | 'account' | 'group' | 'user'>;

/** @throws Problem 404 without a context */
export function contextOfMigrations({ course, account, group, user }: Around): { readonly type: MigrationContext; readonly id: number } {
  if (course) return { type: 'Course', id: course.id };
  if (group) return { type: 'Group', id: group.id };
  if (account) return { type: 'Account', id: account.id };
  if (user) return { type: 'User', id: user.id };
  throw notFound();
}

/** Migrations of the request's context. */
export function migrationsHere(call: Around): SQL {
  const { type, id } = contextOfMigrations(call);
  return and(eq(content_migrations.context_type, type), eq(content_migrations.context_id, id)) as SQL;
}

export const migrationHere = (call: Around, id: number): SQL => and(migrationsHere(call), eq(content_migrations.id, id)) as SQL;

const words = ['manage_course_content_add', 'manage_course_content_edit', 'manage_course_content_delete'] as const;
type Word = (typeof words)[number];

/** For `can`: users only migrate into their own files; elsewhere any of the permissions is enough. */
const holds =
  (...any: readonly Word[]) =>
  (call: Call): boolean =>
    call.user && !call.course && !call.group ? call.me.isKnown && call.user.isMe : any.some((one) => may(one, call));

export const seesMigrations = holds(...words);
export const startsMigrations = holds('manage_course_content_add');
export const changesMigrations = holds('manage_course_content_edit');
