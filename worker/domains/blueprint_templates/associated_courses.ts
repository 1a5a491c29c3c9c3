// The associated courses of a blueprint: the request is validated against the current state, then applied in one batch.

import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { isBelow } from '../../contexts/account_tree';
import { idOf } from '../../contexts/references';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { found, notFound, problem } from '../../http/problem';
import { courses } from '../courses/table';

interface Sought {
  readonly id: number;
  readonly is_here: number;
  readonly is_blueprint: number;
  readonly template_id: number | null;
}

const most = 500;

/** Reads the referenced courses and their current blueprint associations. */
const selectSought = ({ db }: Call, references: readonly string[], account_id: number) =>
  db.build.all<Sought>(
    sql`select c.id, ${isBelow(alias(courses, 'c').account_id, sql`${account_id}`)} as is_here, c.is_blueprint,
      (select s.template_id from blueprint_subscriptions s where s.course_id = c.id and s.workflow_state = 'active') as template_id
      from courses c where c.workflow_state <> 'deleted' and c.id in (${
        references.length > 0
          ? sql.join(
              references.map((one) => idOf('course', one)),
              sql` union `,
            )
          : sql`select 0 where 0`
      })`,
  );

const few = (references: readonly string[] | undefined): string[] => {
  const all = [...new Set(references ?? [])];
  if (all.length > most) throw problem(400, `at most ${most} courses are allowed at once`);
  return all;
};

const chunks = (references: readonly string[]) =>
  Array.from({ length: Math.ceil(references.length / 80) }, (_, at) => references.slice(at * 80, at * 80 + 80));

/**
 * Statements that add and remove associated courses.
 * @throws Problem 400 for a course that cannot be associated, 404 for an unknown course
 */
export async function associate(
  call: Call & { readonly course: NonNullable<Call['course']> },
  template: Statement & PromiseLike<{ readonly id: number }[]>,
  given: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Promise<Statement[]> {
  const { db, now, course } = call;
  const [adding, removing] = [few(given.add), few(given.remove)];
  const [templates, running, ...query] = await db.perform([
    template,
    db.build.all<{ id: number }>(
      sql`select id from blueprint_migrations where template_id in (select id from blueprint_templates where course_id = ${course.id}) and workflow_state in ('queued', 'exporting', 'imports_queued')`,
    ),
    ...[...chunks(adding), ...chunks(removing)].map((some) => selectSought(call, some, course.account_id)),
  ]);
  const template_id = found((templates as { id: number }[])[0]).id;
  const inTurn = query as Sought[][];
  const added = inTurn.slice(0, chunks(adding).length).flat();
  const removed = inTurn.slice(chunks(adding).length).flat();
  if (added.some(({ id }) => removed.some((one) => one.id === id))) throw problem(400, 'cannot add and remove the same course');
  if (added.length < adding.length || removed.length < removing.length) throw notFound();
  if (removed.length > 0 && running.length > 0) throw problem(400, 'cannot remove courses while a sync is running');
  if (added.some(({ is_here }) => !is_here)) throw problem(400, "a course is outside of the blueprint's account");
  if (added.some(({ id, is_blueprint }) => is_blueprint || id === course.id))
    throw problem(400, 'a blueprint course cannot be associated with another blueprint');
  if (added.some((one) => one.template_id !== null && one.template_id !== template_id))
    throw problem(400, 'a course is already associated with another blueprint');
  const ids = (courses: readonly Sought[]) => sql`(select value from json_each(${JSON.stringify(courses.map(({ id }) => id))}))`;
  return [
    db.build.run(
      sql`insert into blueprint_subscriptions (template_id, course_id, created_at, updated_at) select ${template_id}, c.id, ${now}, ${now} from courses c
        where c.id in ${ids(added)} and c.is_blueprint = 0 and not exists (select 1 from blueprint_subscriptions s where s.course_id = c.id and s.workflow_state = 'active')`,
    ),
    db.build.run(
      sql`update blueprint_subscriptions set workflow_state = 'deleted', updated_at = ${now} where template_id = ${template_id} and workflow_state = 'active' and course_id in ${ids(removed)}`,
    ),
  ];
}
