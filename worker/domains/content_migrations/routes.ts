// Content migrations: every endpoint, in the order of the API reference.

import { Migrator } from '@carrel/shared/resources/content_migration';
import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { answer, judged, list, one, write } from '../../http/reply';
import { changeMigration, createMigration } from './begin';
import { assetIdMapping, contentList, selectiveData } from './copying/tree_replies';
import { contentMigration, migrationIssue } from './json';
import { migratorsIn } from './migrators';
import { changeParams, createParams } from './params';
import { changesMigrations, contextOfMigrations, migrationHere, migrationsHere, seesMigrations, startsMigrations } from './policy';
import { content_migrations, migration_issues } from './table';

export const about = {
  title: 'Content migrations',
  description: 'Imports of content: copies of courses, and packages that are uploaded or fetched.',
};

const include = ['audit_info'] as const;
const places = ['/courses/:course_id', '/accounts/:account_id', '/groups/:group_id', '/users/:user_id'] as const;
const issueStates = ['active', 'resolved'] as const;

type AtMigration = Call & { readonly path: { readonly content_migration_id: string } };

/** Issues of the migration of the path. */
const issuesHere = (call: AtMigration) =>
  sql`${migration_issues.content_migration_id} in (select id from content_migrations where ${migrationHere(call, readId(call.path.content_migration_id) ?? 0)})`;

export const contentMigrationRoutes = [
  ...places.flatMap((place) => {
    const all = `${place}/content_migrations` as const;
    const single = `${all}/:id` as const;
    const issues = `${all}/:content_migration_id/migration_issues` as const;
    return [
      get(all, { can: seesMigrations, include, returns: [contentMigration], summary: 'List content migrations' }, (call) =>
        list(rows(content_migrations, { where: migrationsHere(call), order: descending(content_migrations.id) })),
      ),

      get(`${all}/migrators`, { can: seesMigrations, returns: { json: Migrator }, summary: 'List migration types' }, (call) =>
        answer(
          migratorsIn(contextOfMigrations(call).type).map(({ type, requires_file_upload, name, required_settings }) => ({
            type,
            requires_file_upload,
            name,
            required_settings,
          })),
        ),
      ),

      post(
        all,
        { can: startsMigrations, params: createParams, include, returns: contentMigration, summary: 'Create a content migration' },
        (call) => createMigration(call),
      ),

      get(single, { can: seesMigrations, include, fresh: true, returns: contentMigration, summary: 'Get a content migration' }, (call) =>
        one(rows(content_migrations, { where: migrationHere(call, call.id) })),
      ),

      put(
        single,
        { can: changesMigrations, params: changeParams, include, returns: contentMigration, summary: 'Update a content migration' },
        (call) => changeMigration(call),
      ),

      get(
        `${single}/selective_data`,
        { can: seesMigrations, params: { type: optional(text) }, returns: { json: null }, summary: 'List content that can be selected' },
        (call) => selectiveData(call),
      ),

      get(issues, { can: seesMigrations, returns: [migrationIssue], summary: 'List migration issues' }, (call) =>
        judged(
          call.db.build
            .select({ id: content_migrations.id })
            .from(content_migrations)
            .where(migrationHere(call, readId(call.path.content_migration_id) ?? 0)),
          ([migration]) => found(migration),
          list(rows(migration_issues, { where: issuesHere(call) })),
        ),
      ),

      get(`${issues}/:id`, { can: seesMigrations, returns: migrationIssue, summary: 'Get a migration issue' }, (call) =>
        one(rows(migration_issues, { where: and(issuesHere(call), eq(migration_issues.id, call.id)) })),
      ),

      put(
        `${issues}/:id`,
        {
          can: seesMigrations,
          params: { workflow_state: optional(text) },
          returns: migrationIssue,
          summary: 'Update a migration issue',
        },
        (call) => {
          const { db, id, now, params } = call;
          const workflow_state = issueStates.find((state) => state === params.workflow_state);
          if (!workflow_state) throw problem(403, 'workflow_state must be active or resolved');
          const its = and(issuesHere(call), eq(migration_issues.id, id));
          return write(
            [db.build.update(migration_issues).set({ workflow_state, updated_at: now }).where(its)],
            one(rows(migration_issues, { where: its })),
          );
        },
      ),
    ];
  }),

  get(
    '/courses/:course_id/content_migrations/:id/asset_id_mapping',
    { can: seesMigrations, returns: { json: null }, summary: 'Get the copies of the items of a course copy' },
    (call) => assetIdMapping(call),
  ),

  get(
    '/courses/:course_id/content_list',
    {
      can: 'read_as_admin',
      params: { type: optional(text) },
      returns: { json: null },
      summary: 'List content of a course that can be selected',
    },
    (call) => contentList(call),
  ),
];
