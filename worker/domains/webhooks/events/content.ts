// Events of the content of courses and groups.

import { createdAndUpdated, idSql, jsonSql, newRowFields, placeInContext, placeInCourse, textSql, type WebhookSource } from './event.ts';

const assignmentEvents: readonly WebhookSource[] = [
  ...createdAndUpdated(
    'assignment',
    [
      'name',
      'description',
      'assignment_group_id',
      'workflow_state',
      'due_at',
      'unlock_at',
      'lock_at',
      'points_possible',
      'submission_types',
    ],
    {
      table: 'assignments',
      context: placeInCourse('new.course_id'),
      body: {
        assignment_id: idSql('new.id'),
        context_id: idSql('new.course_id'),
        context_type: "'Course'",
        context_uuid: '(select c.uuid from courses c where c.id = new.course_id)',
        title: 'new.name',
        lti_assignment_id: 'new.lti_context_id',
        submission_types: "(select group_concat(j.value, ',') from json_each(new.submission_types) j)",
        ...newRowFields({
          id: 'assignment_group_id',
          text: 'description',
          plain: 'workflow_state due_at unlock_at lock_at updated_at points_possible',
        }),
      },
    },
  ),
  ...createdAndUpdated(
    'assignment_group',
    ['name', 'position', 'group_weight', 'rules', 'sis_source_id', 'integration_data', 'workflow_state'],
    {
      table: 'assignment_groups',
      context: placeInCourse('new.course_id'),
      body: {
        assignment_group_id: idSql('new.id'),
        context_id: idSql('new.course_id'),
        context_type: "'Course'",
        ...newRowFields({ plain: 'name position group_weight sis_source_id workflow_state', json: 'rules integration_data' }),
      },
    },
  ),
  ...createdAndUpdated('assignment_override', ['due_at', 'unlock_at', 'lock_at', 'set_type', 'set_id', 'workflow_state'], {
    table: 'assignment_overrides',
    context: placeInCourse('new.course_id'),
    body: {
      assignment_override_id: idSql('new.id'),
      type: 'new.set_type',
      course_section_id: idSql("iif(new.set_type = 'CourseSection', new.set_id, null)"),
      group_id: idSql("iif(new.set_type = 'Group', new.set_id, null)"),
      ...newRowFields({ id: 'assignment_id', plain: 'due_at unlock_at lock_at workflow_state' }),
    },
  }),
];

const moduleEvents: readonly WebhookSource[] = [
  ...createdAndUpdated('module', ['name', 'position', 'workflow_state'], {
    table: 'modules',
    context: placeInCourse('new.course_id'),
    body: {
      module_id: idSql('new.id'),
      context_id: idSql('new.course_id'),
      context_type: "'Course'",
      ...newRowFields({ plain: 'name position workflow_state' }),
    },
  }),
  ...createdAndUpdated('module_item', ['module_id', 'position', 'workflow_state', 'published'], {
    table: 'module_items',
    context: placeInCourse('new.course_id'),
    body: {
      module_item_id: idSql('new.id'),
      context_id: idSql('new.course_id'),
      context_type: "'Course'",
      workflow_state: "iif(new.workflow_state = 'active' and not new.published, 'unpublished', new.workflow_state)",
      ...newRowFields({ id: 'module_id', plain: 'position' }),
    },
  }),
];

const page = {
  table: 'pages',
  context: placeInContext(),
  actor: 'new.last_edited_by_id',
  body: { wiki_page_id: idSql('new.id'), ...newRowFields({ plain: 'title', text: 'body' }) },
} as const;

const pageEvents: readonly WebhookSource[] = [
  { event: 'wiki_page_created', on: 'insert', ...page },
  {
    event: 'wiki_page_updated',
    on: 'update',
    ...page,
    columns: ['title', 'body', 'workflow_state'],
    when: "new.workflow_state <> 'deleted'",
    body: { ...page.body, old_title: 'old.title', old_body: textSql('old.body') },
  },
  {
    event: 'wiki_page_deleted',
    on: 'update',
    ...page,
    columns: ['workflow_state'],
    when: "new.workflow_state = 'deleted'",
    body: { wiki_page_id: idSql('new.id'), title: 'new.title' },
  },
];

/** Administrators do not see the files of users, and those of a submission may reveal an anonymous student. */
const isCourseFile = "new.context_type <> 'User' and new.submission_id is null and new.is_submitted = 0";
const file = {
  table: 'files',
  context: placeInContext(),
  actor: 'new.user_id',
  body: {
    attachment_id: idSql('new.id'),
    ...newRowFields({
      id: 'user_id context_id folder_id',
      plain: 'display_name filename context_type content_type unlock_at lock_at updated_at',
    }),
  },
} as const;

const fileEvents: readonly WebhookSource[] = [
  { event: 'attachment_created', on: 'insert', ...file, when: `new.workflow_state = 'available' and ${isCourseFile}` },
  {
    event: 'attachment_created',
    as: 'uploaded',
    on: 'update',
    ...file,
    columns: ['workflow_state'],
    when: `new.workflow_state = 'available' and old.workflow_state = 'pending' and ${isCourseFile}`,
  },
  {
    event: 'attachment_updated',
    on: 'update',
    ...file,
    columns: ['display_name', 'folder_id', 'content_type', 'lock_at', 'unlock_at'],
    when: `new.workflow_state = 'available' and old.workflow_state = 'available' and ${isCourseFile}`,
    body: { ...file.body, old_display_name: 'old.display_name' },
  },
  {
    event: 'attachment_deleted',
    on: 'update',
    ...file,
    columns: ['workflow_state'],
    when: `new.workflow_state = 'deleted' and old.workflow_state = 'available' and ${isCourseFile}`,
  },
];

const outcomeEvents: readonly WebhookSource[] = [
  ...createdAndUpdated(
    'learning_outcome',
    [
      'title',
      'display_name',
      'description',
      'vendor_guid',
      'calculation_method',
      'calculation_int',
      'ratings',
      'mastery_points',
      'workflow_state',
    ],
    {
      table: 'learning_outcomes',
      context: placeInContext(),
      body: {
        learning_outcome_id: idSql('new.id'),
        short_description: 'new.title',
        rubric_criterion: `json_object('ratings', ${jsonSql('new.ratings')}, 'mastery_points', new.mastery_points, 'points_possible', new.points_possible)`,
        ...newRowFields({
          id: 'context_id',
          text: 'description',
          plain: 'context_type title display_name vendor_guid calculation_method calculation_int workflow_state',
        }),
      },
    },
  ),
  ...createdAndUpdated('learning_outcome_group', ['parent_outcome_group_id', 'title', 'description', 'vendor_guid', 'workflow_state'], {
    table: 'learning_outcome_groups',
    context: placeInContext(),
    body: {
      learning_outcome_group_id: idSql('new.id'),
      ...newRowFields({
        id: 'parent_outcome_group_id context_id',
        text: 'description',
        plain: 'context_type title vendor_guid workflow_state',
      }),
    },
  }),
  ...createdAndUpdated('learning_outcome_link', ['learning_outcome_group_id'], {
    table: 'learning_outcome_links',
    context: placeInContext(),
    body: {
      learning_outcome_link_id: idSql('new.id'),
      workflow_state: "'active'",
      ...newRowFields({ id: 'learning_outcome_id learning_outcome_group_id context_id', plain: 'context_type' }),
    },
  }),
];

export const webhookContentSources: readonly WebhookSource[] = [
  ...assignmentEvents,
  ...moduleEvents,
  ...pageEvents,
  ...fileEvents,
  ...outcomeEvents,
];
