// Locks on one item of a blueprint.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableName, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { found, notFound, problem } from '../../http/problem';
import { kindFacts } from '../../rules/copied_kinds';
import type { CopiedKind } from '../course_copy/table';
import { type BlueprintSettings, contentTypes, defaultRestrictions, inFull, type Restrictions } from './restrictions';
import { blueprint_items, lockables } from './table';

interface Given {
  readonly content_type?: string;
  readonly content_id?: number;
  readonly restricted?: boolean;
  readonly restrictions?: Restrictions;
}

/**
 * Statements that lock or unlock an item; the change is part of the next sync.
 * @throws Problem 400 for an unknown type or missing restrictions, 404 for an unknown item
 */
export async function restrict(
  { db, course }: Call & { readonly course: NonNullable<Call['course']> },
  given: Given,
): Promise<Statement[]> {
  const { content_type = '', content_id = 0, restricted, restrictions } = given;
  if (!Object.hasOwn(contentTypes, content_type)) throw problem(400, 'Must be a valid content type');
  if (restricted === undefined) throw problem(400, "Must set 'restricted' to true or false");
  const kind = lookUp(contentTypes, content_type);
  if (!kind) throw notFound();
  const { table, there } = kindFacts[kind];
  const [[query], other] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select o.id from ${sql.raw(getTableName(table))} o where o.id = ${content_id} and ${there('o', shared('course', course.id))} and ${content_type === 'lti-quiz' ? sql`exists (select 1 from new_quizzes n where n.id = o.id)` : sql`1`}`,
    ),
    // A graded topic or quiz and its assignment are locked together.
    db.build.all<{ kind: 'discussion_topic' | 'quiz'; id: number; assignment_id: number }>(
      sql`select 'discussion_topic' as kind, id, assignment_id from discussion_topics where context_type = 'Course' and context_id = ${course.id} and assignment_id is not null and workflow_state <> 'deleted'
        and ${kind === 'discussion_topic' ? sql`id = ${content_id}` : kind === 'assignment' ? sql`assignment_id = ${content_id}` : sql`0`}
        union all select 'quiz', id, assignment_id from quizzes where course_id = ${course.id} and assignment_id is not null and workflow_state <> 'deleted'
        and ${kind === 'quiz' ? sql`id = ${content_id}` : kind === 'assignment' ? sql`assignment_id = ${content_id}` : sql`0`}`,
    ),
  ]);
  const things: [CopiedKind, number][] = [
    [kind, found(query).id],
    ...other.map((it): [CopiedKind, number] => (kind === 'assignment' ? [it.kind, it.id] : ['assignment', it.assignment_id])),
  ];
  return things.flatMap(([of, item_id]) => {
    const isDefault = restrictions === undefined;
    const locks = inFull(restricted ? (restrictions ?? defaultRestrictions(course.blueprint_settings, kind)) : {});
    const row = { kind: of, item_id, course_id: course.id, use_default: restricted && isDefault, ...locks };
    return [
      db.build
        .insert(blueprint_items)
        .values(row)
        .onConflictDoUpdate({ target: [blueprint_items.kind, blueprint_items.item_id], set: row }),
      db.build.run(sql`delete from blueprint_changes where kind = ${of} and item_id = ${item_id}`),
      db.build.run(sql`insert into blueprint_changes (course_id, kind, item_id) values (${course.id}, ${of}, ${item_id})`),
    ];
  });
}

/** Items that use the course's default locks follow when the defaults change. */
export function followDefaults(db: Database, course_id: number, settings: BlueprintSettings): Statement[] {
  return (['assignment', 'file', 'discussion_topic', 'page', 'quiz'] as const).map((kind) => {
    const locks = inFull(defaultRestrictions(settings, kind));
    const sets = lockables.map((name) => sql`${sql.raw(name)} = ${locks[name] ? 1 : 0}`);
    return db.build.run(
      sql`update blueprint_items set ${sql.join(sets, sql`, `)} where course_id = ${course_id} and kind = ${kind} and use_default = 1`,
    );
  });
}
