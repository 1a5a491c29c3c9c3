// Rubrics: every endpoint, in the order of the API reference. Imports are in imports/routes.ts.

import { idField, optional, text } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, problem, refused } from '../../http/problem';
import { answer, judged, list, row, write } from '../../http/reply';
import { planListing } from '../../http/serializer';
import { courses } from '../courses/table';
import { rubric_associations } from '../rubric_associations/table';
import { mostAssessments } from './assessments/policy';
import { endAssociations, isBookmarked } from './associations/writes';
import { rubricParams } from './input';
import { assessmentIncludes, associationIncludes, rubric, rubricLocation, styles } from './json';
import { onlyRubric, rubricsIn } from './policy';
import { rubrics } from './table';
import { createRubric, mayWriteRubrics, updateRubric, writtenRubricOf } from './writes';

export const about = { title: 'Rubrics', description: 'Rubrics with their criteria and ratings, and where they are used.' };

const rubricNotFound = () => problem(404, 'Rubric not found');

/** The course or account of the path. */
const contextOf = ({ course, account }: Pick<Call, 'course' | 'account'>) =>
  course ? ({ type: 'Course', id: course.id } as const) : ({ type: 'Account', id: account?.id ?? 0 } as const);

/** @throws Problem 400 for an include or style that does not exist, and for two includes of one kind */
function checkIncludes({ tree, params }: { tree: Call['tree']; params: { style?: string } }): void {
  const asked = [tree.include ?? []].flat(2).map((one) => (typeof one === 'object' ? '' : String(one)));
  const ofKind = (names: readonly string[]) => asked.filter((one) => names.includes(one));
  const isKnown = asked.every((one) => [...assessmentIncludes, ...associationIncludes].some((name) => name === one));
  if (!isKnown) throw refused(400, 'invalid include type requested');
  if (ofKind(assessmentIncludes).length > 1 || ofKind(associationIncludes).length > 1)
    throw refused(400, 'cannot request multiple includes of one type');
  if (params.style !== undefined && !styles.some((one) => one === params.style)) throw refused(400, 'invalid style parameter');
  if (params.style !== undefined && ofKind(assessmentIncludes).length === 0) throw refused(400, 'style is only used with assessments');
}

/** A rubric with many assessments links to those that follow. */
function nextLink({ url }: Pick<Call, 'url'>, assessments: readonly { readonly id: number }[] | undefined): Record<string, string> {
  const last = assessments?.length === mostAssessments ? assessments.at(-1) : undefined;
  if (!last) return {};
  const next = new URL(url);
  next.searchParams.set('after', String(last.id));
  next.searchParams.delete('access_token');
  return { Link: `<${next.href}>; rel="next"` };
}

const showParams = { style: optional(text), after: optional(idField('rubric_part')) };
const including = [...assessmentIncludes, ...associationIncludes] as const;

const using = sql<string>`(select json_group_array(json_object('id', id, 'title', name)) from (
  select assignments.id, assignments.name from rubric_associations used join assignments on assignments.id = used.association_id and assignments.workflow_state <> 'deleted'
  where used.rubric_id = rubric_associations.rubric_id and used.context_id = courses.id and used.workflow_state = 'active' and used.association_type = 'Assignment' and used.context_type = 'Course' order by assignments.id))`;

const termEnd = sql<string | null>`(select terms.end_at from terms where terms.id = courses.enrollment_term_id)`;

/** The courses whose assignments use a rubric, by id; of a course only itself. */
const locations = (id: number, course: { readonly id: number } | undefined) => {
  const isUse = (alias: string) =>
    sql.raw(`${alias}.workflow_state = 'active' and ${alias}.association_type = 'Assignment'
      and exists (select 1 from assignments a where a.id = ${alias}.association_id and a.workflow_state <> 'deleted')`);
  return rows(courses, {
    from: rubric_associations,
    join: (select) => select.innerJoin(courses, eq(courses.id, rubric_associations.context_id)),
    columns: { using: using.as('using'), term_end: termEnd.as('term_end') },
    where: sql`${rubric_associations.rubric_id} = ${id} and ${courses.workflow_state} <> 'deleted' and ${isUse('rubric_associations')} and ${course ? eq(rubric_associations.context_id, course.id) : sql`1`}
      and not exists (select 1 from rubric_associations e where e.rubric_id = rubric_associations.rubric_id and e.context_id = rubric_associations.context_id and e.id < rubric_associations.id and ${isUse('e')})`,
    order: [{ by: rubric_associations.context_id }],
  });
};

const ofContexts = (['/courses/:course_id', '/accounts/:account_id'] as const).flatMap((place) => {
  const all = `${place}/rubrics` as const;
  return [
    get(all, { can: 'manage_rubrics', returns: [rubric], summary: 'List rubrics' }, (call) => list(rubricsIn(contextOf(call)))),

    get(
      `${all}/:id`,
      { can: 'manage_rubrics', params: showParams, include: including, returns: rubric, summary: 'Get a rubric' },
      async (call) => {
        checkIncludes(call);
        const plan = planListing(rubric, { ...rows(rubrics, { where: onlyRubric(contextOf(call), call.id) }), limit: 1 }, call);
        const [it] = plan.tell(await call.db.perform(plan.statements));
        if (!it) throw rubricNotFound();
        return answer(it.json, 200, nextLink(call, it.json.assessments as { id: number }[] | undefined));
      },
    ),

    get(
      `${all}/:id/used_locations`,
      { can: 'manage_rubrics', returns: [rubricLocation], summary: 'List the courses and assignments that use a rubric' },
      ({ db, id, course, account }) => {
        const there = db.build
          .select({ id: rubrics.id })
          .from(rubrics)
          .where(onlyRubric(contextOf({ course, account }), id));
        const decide = (known: readonly unknown[]) => {
          if (known.length === 0) throw rubricNotFound();
        };
        return judged(there, decide, list(locations(id, course)));
      },
    ),
  ];
});

const inCourse = '/courses/:course_id/rubrics';

export const rubricRoutes = [
  ...ofContexts,

  post(inCourse, { can: mayWriteRubrics, params: rubricParams, returns: writtenRubricOf, summary: 'Create a rubric' }, (call) =>
    createRubric(call),
  ),

  put(`${inCourse}/:id`, { can: mayWriteRubrics, params: rubricParams, returns: writtenRubricOf, summary: 'Update a rubric' }, (call) =>
    updateRubric(call),
  ),

  del(`${inCourse}/:id`, { can: 'manage_rubrics', returns: rubric, summary: 'Delete a rubric' }, async ({ db, course, id, now }) => {
    const context = { type: 'Course', id: course.id } as const;
    const [[there]] = await db.perform([db.build.select().from(rubrics).where(onlyRubric(context, id))]);
    const gone = found(there);
    return write(
      endAssociations(db, context, eq(rubric_associations.rubric_id, id), id, isBookmarked, now),
      row({ ...gone, ...(gone.context_type === 'Course' && gone.context_id === course.id && { workflow_state: 'deleted' }) }),
    );
  }),
];
