// Rewrites the links in answers and comments of copied questions, which are JSON: course copies rewrite the text of a question only.

import { sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import { mentionedIn, relinkedHtml } from '../../course_copy/relink';
import { byCopy } from '../../course_copy/work';
import type { MigrationWork } from '../work';

const atOnce = 20;

/** @returns whether all are rewritten */
export async function relinkAnswers(work: MigrationWork, course: number, mayGoOn: () => boolean): Promise<boolean> {
  const { db } = work;
  for (;;) {
    const { it } = work;
    const [rows] = await db.perform([
      db.build.all<{ id: number; data: string }>(
        sql`select q.id, q.data from copied_items l join quiz_questions q on q.id = l.item_id where l.course_id = ${it.context_id} and l.kind = 'quiz_question'
          and l.copy_id = ${it.copy_id} and instr(q.data, ${`/courses/${course}/`}) > 0 order by q.id limit ${atMost(atOnce)}`,
      ),
    ]);
    if (rows.length === 0) return true;
    if (!mayGoOn()) return false;
    const wanted = rows.flatMap(({ data }) => [...(mentionedIn(data, course).ids.get('file') ?? [])]);
    const [files] = await db.perform([
      db.build.all<{ source_id: number; item_id: number }>(
        sql`select l.source_id, l.item_id from json_each(${JSON.stringify(wanted)}) j cross join copied_items l on l.course_id = ${it.context_id} and l.kind = 'file' and l.source_id = j.value`,
      ),
    ]);
    const copies = new Map(files.map(({ source_id, item_id }) => [source_id, item_id]));
    const found = { id: (kind: string, id: number) => (kind === 'file' ? copies.get(id) : undefined), url: (url: string) => url };
    const changed = rows.map(({ id, data }) => [
      id,
      relinkedHtml(data, course, it.context_id, found).replaceAll(`/courses/${course}/`, `/courses/${it.context_id}/`),
    ]);
    await work.commit(
      byCopy(db, [
        db.build.run(
          sql`update quiz_questions set data = j.value ->> 1 from json_each(${JSON.stringify(changed)}) j where quiz_questions.id = j.value ->> 0`,
        ),
      ]),
      {},
    );
  }
}
