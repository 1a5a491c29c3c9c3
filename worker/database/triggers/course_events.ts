// Triggers of the course audit log, which record changes by any writer. The actor and source are in a row of `acting` or `sis_writing` in the same
// batch; without one, the change is attributed to the system.

import { lookUp } from '@carrel/shared/wire/look_up';
import { nowSql } from './now.ts';
import { columnsDiffer, trigger } from './trigger.ts';

const texts = [
  'name',
  'course_code',
  'friendly_name',
  'account_id',
  'enrollment_term_id',
  'sis_course_id',
  'integration_id',
  'start_at',
  'end_at',
  'default_view',
  'time_zone',
  'locale',
  'course_format',
  'license',
  'public_description',
  'syllabus_body',
  'grading_standard_id',
  'storage_quota_mb',
];
const flags = [
  'restrict_enrollments_to_course_dates',
  'is_public',
  'is_public_to_auth_users',
  'public_syllabus',
  'public_syllabus_to_auth',
  'apply_assignment_group_weights',
  'allow_student_wiki_edits',
  'allow_wiki_comments',
  'open_enrollment',
  'self_enrollment',
  'indexed',
  'is_blueprint',
  'is_template',
];

/** The API's name of a column. */
const called: Readonly<Record<string, string>> = { end_at: 'conclude_at', storage_quota_mb: 'storage_quota' };

/** Changes of state with an event type of their own; others are recorded like any column. */
const isMove = `(new.workflow_state is not old.workflow_state and not (old.workflow_state = 'created' and new.workflow_state = 'claimed'))`;

/** Fifteen values per object: SQLite functions take 32 arguments. */
const objects = (values: readonly (readonly [name: string, value: string])[]): string[] =>
  Array.from({ length: Math.ceil(values.length / 15) }, (_, at) => {
    const pairs = values.slice(at * 15, at * 15 + 15).map(([name, value]) => `'${name}', ${value}`);
    return `json_object(${pairs.join(', ')})`;
  });

/** A course as one object: columns and settings, without nulls. */
const itself = (side: 'old' | 'new', state = `${side}.workflow_state`) =>
  [
    ...objects([
      ...texts.map((column) => [lookUp(called, column) ?? column, `${side}.${column}`] as const),
      ...flags.map((column) => [column, `json(iif(${side}.${column}, 'true', 'false'))`] as const),
      ['workflow_state', state] as const,
    ]),
    `${side}.settings`,
  ].reduce((all, one) => `json_patch(${all}, ${one})`, "'{}'");

const at = "('$.' || json_quote(k.key))";
/** The differences between two such objects. */
const result = (before: string, after: string, where = '1') =>
  `(select json_group_object(k.key, json_array(json(coalesce(s.o -> ${at}, 'null')), json(coalesce(s.n -> ${at}, 'null'))))
      from (select ${before} as o, ${after} as n) s cross join json_each(json_patch(s.o, s.n)) k where (s.o -> ${at}) is not (s.n -> ${at}) and ${where})`;

const made = result("'{}'", itself('new'), `(s.n -> ${at}) <> 'false'`);
const changed = result(itself('old', `iif(${isMove}, new.workflow_state, old.workflow_state)`), itself('new'));

const sis = "(select i.id from sis_imports i where i.workflow_state in ('importing', 'cleanup_batch') order by i.id limit 1)";
const isSis = 'exists (select 1 from sis_writing)';

/** An event; `data` is JSON text. */
const event = (course: string, account: string, type: string, data: string, from = '', where = '1') =>
  `insert into course_events (course_id, account_id, event_type, event_source, event_data, user_id, sis_import_id, created_at)
    select ${course}, ${account}, ${type}, iif(${isSis}, 'sis', coalesce((select a.source from acting a), 'system')), ${data},
      iif(${isSis}, (select i.user_id from sis_imports i where i.id = ${sis}), (select a.user_id from acting a)), iif(${isSis}, ${sis}, null), ${nowSql}${from} where ${where};`;

const move = `iif(new.workflow_state = 'deleted', 'deleted', iif(old.workflow_state = 'deleted', 'restored', iif(new.workflow_state = 'completed', 'concluded', iif(old.workflow_state = 'completed', 'unconcluded', iif(new.workflow_state = 'available', 'published', 'claimed')))))`;

const watched = [...texts, ...flags, 'workflow_state', 'settings'];

export const courseEventTriggers = [
  trigger({
    on: 'courses',
    name: 'audit_insert',
    event: 'insert',
    run: [event('new.id', 'new.account_id', "'created'", made)],
    purpose: 'Record that a course was created.',
  }),
  trigger({
    on: 'courses',
    name: 'audit_update',
    event: 'update',
    of: watched,
    when: columnsDiffer(watched),
    run: [event('new.id', 'new.account_id', "'updated'", 'd.data', ` from (select ${changed} as data) d`, "d.data <> '{}'")],
    purpose: 'Record the changed fields of a course.',
  }),
  // A reset also deletes the course, but is recorded as a reset only.
  trigger({
    on: 'courses',
    name: 'audit_move',
    event: 'update',
    of: ['workflow_state'],
    when: `${isMove} and not (new.workflow_state = 'deleted' and new.replacement_course_id is not old.replacement_course_id)`,
    run: [event('new.id', 'new.account_id', move, "'{}'")],
    purpose: 'Record that a course was published, concluded, deleted or restored.',
  }),
  trigger({
    on: 'courses',
    name: 'audit_reset',
    event: 'update',
    of: ['replacement_course_id'],
    when: 'new.replacement_course_id is not null and old.replacement_course_id is not new.replacement_course_id',
    run: [
      event('new.id', 'new.account_id', "'reset_to'", "json_object('reset_to', new.replacement_course_id)"),
      event('new.replacement_course_id', 'new.account_id', "'reset_from'", "json_object('reset_from', new.id)"),
    ],
    purpose: 'Record that a course was reset, in the old course and in the new one.',
  }),
];
