// The discussion topic inside its assignment's JSON. It is read in the assignment's row, so other assignments cost nothing. Only in requests within a
// course, which decides the topic's permissions.

import { Assignment } from '@carrel/shared/resources/assignment';
import { DiscussionTopic } from '@carrel/shared/resources/discussion_topic';
import { cut } from '@carrel/shared/resources/resource';
import { type SQL, sql } from 'drizzle-orm';
import { rowAsJson, rowsOfJson } from '../../database/bundle';
import type { Call } from '../../http/call';
import { embed, serializer } from '../../http/serializer';
import { besideAssignments } from '../assignments/includes';
import { assignment, type ComputedRow } from '../assignments/json';
import { assignments } from '../assignments/table';
import { file, filesByIds } from '../files/json';
import { moduleLockOf } from '../modules/locks';
import { broughtAlong, computedTopicColumns, type TopicWithColumns, topicJson } from './json';
import { isTopicOpenTo, readableKinds } from './policy';
import { discussion_topics } from './table';

type Row = ComputedRow & { readonly topic: string | null };

/** The topic of the current assignment row as JSON: its columns and computed values. */
function topicColumn(call: Call): SQL<string | null> {
  const { course } = call;
  if (!course) return sql<string | null>`null`;
  const { mark, writer, has_posted, students_posted, children, own_child, file_verifiers } = computedTopicColumns(call);
  const there = sql`discussion_topics.assignment_id = assignments.id and discussion_topics.workflow_state <> 'deleted' and ${isTopicOpenTo(course, call)} and ${readableKinds(course) ?? sql`1`}`;
  const result = sql`json_object('row', ${rowAsJson(discussion_topics)}, 'mark', json(${mark.sql}), 'writer', json(${writer.sql}), 'has_posted', ${has_posted.sql}, 'students_posted', ${students_posted.sql}, 'children', json(${children.sql}), 'own_child', json(${own_child.sql}), 'file_verifiers', json(${file_verifiers.sql}))`;
  return sql<
    string | null
  >`case when assignments.submission_types like '%discussion_topic%' then (select ${result} from discussion_topics where ${there}) end`;
}

interface Told {
  readonly row: unknown;
  readonly mark: unknown;
  readonly writer: unknown;
  readonly has_posted: number;
  readonly students_posted: number;
  readonly file_verifiers: unknown;
  readonly children: unknown;
  readonly own_child: unknown;
}

const textOf = (json: unknown): string | null => (json === null ? null : JSON.stringify(json));

function topicOf({ topic }: Row): TopicWithColumns | undefined {
  if (topic === null) return undefined;
  const { row, mark, writer, has_posted, students_posted, children, own_child, file_verifiers } = JSON.parse(topic) as Told;
  const [found] = rowsOfJson(discussion_topics, JSON.stringify(row));
  return (
    found && {
      ...found,
      mark: textOf(mark),
      writer: textOf(writer),
      file_verifiers: textOf(file_verifiers),
      has_posted,
      students_posted,
      children: textOf(children),
      own_child: textOf(own_child),
    }
  );
}

/** An assignment with its discussion topic. */
export const assignmentWithTopic = serializer({
  resource: Assignment,
  table: assignments,
  columns: (call) => ({ ...assignment.columns?.(call), topic: topicColumn(call).as('topic') }),
  also: (ids, call) => ({
    ...besideAssignments(ids, call),
    attachments: call.course ? embed(file, filesByIds(broughtAlong('attachment_id', ids, call))) : undefined,
  }),
  json(row: Row, call, { attachments, ...beside }) {
    const topic = topicOf(row);
    const module = moduleLockOf(beside.locks, 'Assignment', row.id, call.now);
    const its = attachments?.filter((one) => one.row.id === topic?.attachment_id).map(({ json }) => json) ?? [];
    return {
      ...assignment.json(row, call, beside as never),
      discussion_topic: topic && cut(DiscussionTopic, topicJson(topic, call, { graded: row, module, attachments: its })),
    };
  },
});
