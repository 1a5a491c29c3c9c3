// Pages, assignments and discussions of a cartridge, some at a time.

import { sql } from 'drizzle-orm';
import { writePackagedPage } from '../../../cartridge/content/page';
import { writeTopic } from '../../../cartridge/content/topic';
import { packageKey } from '../../../cartridge/keys';
import type { ManifestResource, PackageFile, ResourceTypes } from '../../../cartridge/manifest';
import { writeAssignment } from '../../../cartridge/settings/assignment';
import { canvasNamespaces } from '../../../cartridge/settings/fields';
import { writeTopicSettings } from '../../../cartridge/settings/topic';
import { xmlDocument } from '../../../cartridge/xml/write';
import { among } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { assignments } from '../../assignments/table';
import { discussion_topics } from '../../discussion_topics/table';
import { pages } from '../../pages/table';
import type { ExportedCourse, PackagePart } from '../quiz_parts';
import { archivePath } from '../selection';
import { linkOfAssignment } from './assignment_link';
import { repackFor } from './names';
import { type BesideAssignment, packagedAssignment, packagedTopic } from './packaged_assignment';

export interface PartsOf {
  readonly db: Database;
  readonly course: ExportedCourse;
  readonly types: ResourceTypes;
}

const resource = (
  identifier: string,
  type: string,
  files: readonly PackageFile[],
  more: Partial<ManifestResource> = {},
): ManifestResource => ({
  identifier,
  type,
  files: files.map(({ path }) => path),
  dependencies: [],
  ...more,
});

export async function pageParts({ db, course, types }: PartsOf, ids: readonly number[]): Promise<PackagePart[]> {
  const [rows] = await db.perform([
    db.build
      .select()
      .from(pages)
      .where(
        sql`${among(pages.id, ids)} and pages.context_type = 'Course' and pages.context_id = ${course.id} and pages.workflow_state <> 'deleted'`,
      )
      .orderBy(pages.id),
  ]);
  const repack = await repackFor(
    db,
    course,
    rows.map(({ body }) => body),
  );
  return rows.map((row) => {
    const identifier = packageKey(course.uuid, 'page', row.id);
    const path = `wiki_content/${row.url}.html`;
    const content = writePackagedPage({
      identifier,
      editing_roles: row.editing_roles,
      workflow_state: row.workflow_state,
      ...(row.front_page && { front_page: 'true' }),
      ...(row.todo_date !== null && { todo_date: row.todo_date }),
      ...(row.publish_at !== null && { publish_at: row.publish_at }),
      title: row.title,
      body: repack(row.body),
    });
    const files = [{ path, content }];
    return { files, resources: [resource(identifier, types.content, files, { href: path })] };
  });
}

type BesideRow = BesideAssignment & { readonly id: number };

const assignmentRows = ({ build }: Database, course: ExportedCourse, ids: readonly number[]) =>
  build
    .select()
    .from(assignments)
    .where(sql`${among(assignments.id, ids)} and ${assignments.course_id} = ${course.id} and ${assignments.workflow_state} <> 'deleted'`)
    .orderBy(assignments.id);

const besideRows = ({ build }: Database, course: ExportedCourse, ids: readonly number[]) =>
  build.all<BesideRow>(
    sql`select a.id, x.rubric_id, x.use_for_grading, x.hide_points, x.hide_outcome_results, x.hide_score_total, s.id as standard_id, g.name as group_category,
      ${linkOfAssignment} as lookup_uuid, (select json_object('tag', i.tag, 'resource_id', i.resource_id) from line_items i where i.id = a.id and i.is_coupled = 1) as line_item
      from json_each(${JSON.stringify(ids)}) j cross join assignments a on a.id = j.value
      left join rubric_associations x on x.association_type = 'Assignment' and x.association_id = a.id and x.purpose = 'grading' and x.workflow_state = 'active'
      left join grading_standards s on s.id = a.grading_standard_id and s.context_type = 'Course' and s.context_id = ${course.id} and s.workflow_state = 'active'
      left join group_categories g on g.id = a.group_category_id and g.context_type = 'Course' and g.workflow_state = 'available' where a.course_id = ${course.id}`,
  );

/** The assignments of quizzes and discussions are in the settings of these. */
export async function assignmentParts({ db, course, types }: PartsOf, ids: readonly number[]): Promise<PackagePart[]> {
  const [rows, beside] = await db.perform([assignmentRows(db, course, ids), besideRows(db, course, ids)]);
  const alone = rows.filter(
    ({ submission_types: kinds }) => !kinds.includes('online_quiz') && !kinds.includes('discussion_topic') && !kinds.includes('wiki_page'),
  );
  const repack = await repackFor(
    db,
    course,
    alone.map(({ description }) => description),
  );
  return alone.map((row) => {
    const settings = packagedAssignment(
      course.uuid,
      row,
      beside.find(({ id }) => id === row.id),
    );
    const key = settings.identifier;
    const files = [
      { path: `${key}/assignment.html`, content: writePackagedPage({ title: row.name, body: repack(row.description) }) },
      { path: `${key}/assignment_settings.xml`, content: xmlDocument(writeAssignment(settings, canvasNamespaces)) },
    ];
    return { files, resources: [resource(key, types.associated, files, { href: files[0]?.path ?? '' })] };
  });
}

export async function topicParts({ db, course, types }: PartsOf, ids: readonly number[]): Promise<PackagePart[]> {
  const graded = sql`select t.assignment_id from discussion_topics t where ${among(sql`t.id`, ids)}`;
  const [rows, theirs, attached] = await db.perform([
    db.build
      .select()
      .from(discussion_topics)
      .where(
        sql`${among(discussion_topics.id, ids)} and discussion_topics.context_type = 'Course' and discussion_topics.context_id = ${course.id} and discussion_topics.workflow_state <> 'deleted'`,
      )
      .orderBy(discussion_topics.id),
    db.build.select().from(assignments).where(sql`${assignments.id} in (${graded}) and ${assignments.workflow_state} <> 'deleted'`),
    db.build.all<{ id: number; display_name: string; full_name: string }>(
      sql`select f.id, f.display_name, p.full_name from discussion_topics t join files f on f.id = t.attachment_id join folders p on p.id = f.folder_id
        where ${among(sql`t.id`, ids)} and f.workflow_state = 'available'`,
    ),
  ]);
  const [beside] = await db.perform([
    besideRows(
      db,
      course,
      theirs.map(({ id }) => id),
    ),
  ]);
  const repack = await repackFor(
    db,
    course,
    rows.map(({ message }) => message),
  );
  return rows.map((row) => {
    const key = packageKey(course.uuid, 'discussion_topic', row.id);
    const assignment = theirs.find(({ id }) => id === row.assignment_id);
    const file = attached.find(({ id }) => id === row.attachment_id);
    const settings = packagedTopic(
      course.uuid,
      row,
      assignment &&
        packagedAssignment(
          course.uuid,
          assignment,
          beside.find(({ id }) => id === assignment.id),
        ),
    );
    const attachments = file ? [`$IMS-CC-FILEBASE$/${archivePath(file.full_name, file)}`] : [];
    const topic = { path: `${key}.xml`, content: writeTopic({ title: row.title, text: repack(row.message), attachments }) };
    const meta = { path: `${key}_meta.xml`, content: writeTopicSettings(settings) };
    return {
      files: [topic, meta],
      resources: [
        resource(key, types.topic, [topic], { dependencies: [`${key}_meta`] }),
        resource(`${key}_meta`, types.associated, [meta], { href: meta.path }),
      ],
    };
  });
}
