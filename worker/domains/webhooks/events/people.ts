// Events of courses, their members, users and groups.

import {
  createdAndUpdated,
  flagSql,
  idSql,
  newRowFields,
  ofUser,
  placeInAccount,
  placeInContext,
  placeInCourse,
  textSql,
  type WebhookSource,
} from './event.ts';

const categoryName = '(select k.name from group_categories k where k.id = new.group_category_id)';

const courseEvents: readonly WebhookSource[] = [
  ...createdAndUpdated('course', ['name', 'account_id', 'workflow_state'], {
    table: 'courses',
    context: placeInCourse('new.id'),
    body: { course_id: idSql('new.id'), ...newRowFields({ id: 'account_id', plain: 'uuid name created_at updated_at workflow_state' }) },
  }),
  {
    event: 'syllabus_updated',
    table: 'courses',
    on: 'update',
    columns: ['syllabus_body'],
    context: placeInCourse('new.id'),
    body: { course_id: idSql('new.id'), ...newRowFields({ text: 'syllabus_body' }), old_syllabus_body: textSql('old.syllabus_body') },
  },
  ...createdAndUpdated(
    'course_section',
    [
      'course_id',
      'name',
      'start_at',
      'end_at',
      'workflow_state',
      'sis_section_id',
      'integration_id',
      'nonxlist_course_id',
      'restrict_enrollments_to_section_dates',
    ],
    {
      table: 'sections',
      context: placeInCourse('new.course_id'),
      body: {
        course_section_id: idSql('new.id'),
        ...newRowFields({
          id: 'course_id nonxlist_course_id',
          plain: 'name start_at end_at workflow_state integration_id stuck_sis_fields',
          flag: 'restrict_enrollments_to_section_dates',
        }),
        default_section: flagSql('new.is_default'),
        sis_source_id: 'new.sis_section_id',
        sis_batch_id: idSql('new.sis_import_id'),
        root_account_id: "'1'",
        enrollment_term_id: idSql('(select c.enrollment_term_id from courses c where c.id = new.course_id)'),
      },
    },
  ),
  ...createdAndUpdated(
    'enrollment',
    ['user_id', 'type', 'course_section_id', 'enrollment_state', 'limit_privileges_to_course_section', 'observed_user_id'],
    {
      table: 'enrollments',
      context: placeInCourse('new.course_id'),
      body: {
        enrollment_id: idSql('new.id'),
        ...newRowFields({
          id: 'course_id user_id course_section_id',
          plain: 'type created_at updated_at',
          flag: 'limit_privileges_to_course_section',
        }),
        user_name: '(select u.name from users u where u.id = new.user_id)',
        workflow_state: 'new.enrollment_state',
        associated_user_id: idSql('new.observed_user_id'),
      },
    },
  ),
  {
    event: 'content_migration_completed',
    table: 'content_migrations',
    on: 'update',
    columns: ['workflow_state'],
    when: "new.workflow_state = 'imported'",
    context: placeInContext(),
    actor: 'new.user_id',
    body: {
      content_migration_id: idSql('new.id'),
      ...newRowFields({ id: 'context_id', plain: 'context_type migration_type' }),
      context_uuid: "(select c.uuid from courses c where c.id = new.context_id and new.context_type = 'Course')",
    },
  },
];

const userLogin = (column: string) =>
  `(select l.${column} from logins l where l.user_id = new.id and l.workflow_state <> 'deleted' order by l.id limit 1)`;

const userEvents: readonly WebhookSource[] = [
  ...createdAndUpdated('user', ['name', 'short_name', 'workflow_state'], {
    table: 'users',
    when: 'new.is_test_student = 0',
    context: ofUser('new.id'),
    body: {
      user_id: idSql('new.id'),
      ...newRowFields({ plain: 'uuid name short_name workflow_state created_at updated_at' }),
      user_login: userLogin('unique_id'),
      user_sis_id: userLogin('sis_user_id'),
    },
  }),
  ...(['login', 'logout'] as const).map(
    (type): WebhookSource => ({
      event: type === 'login' ? 'logged_in' : 'logged_out',
      table: 'authentication_events',
      on: 'insert',
      when: `new.event_type = '${type}'`,
      context: ofUser('new.user_id'),
      actor: 'new.user_id',
      object: "'users ' || new.user_id",
      body: {},
    }),
  ),
  {
    event: 'account_notification_created',
    table: 'account_notifications',
    on: 'insert',
    context: placeInAccount('new.account_id'),
    actor: 'new.user_id',
    body: { account_notification_id: idSql('new.id'), ...newRowFields({ plain: 'subject icon start_at end_at', text: 'message' }) },
  },
];

const groupEvents: readonly WebhookSource[] = [
  ...createdAndUpdated('group', ['name', 'group_category_id', 'workflow_state', 'max_membership'], {
    table: 'groups',
    context: placeInContext(),
    body: {
      group_id: idSql('new.id'),
      group_name: 'new.name',
      group_category_name: categoryName,
      account_id: idSql(
        "iif(new.context_type = 'Account', new.context_id, (select c.account_id from courses c where c.id = new.context_id))",
      ),
      ...newRowFields({ id: 'group_category_id context_id', plain: 'uuid context_type workflow_state max_membership' }),
    },
  }),
  ...createdAndUpdated('group_category', ['name', 'group_limit', 'workflow_state'], {
    table: 'group_categories',
    context: placeInContext(),
    body: {
      group_category_id: idSql('new.id'),
      group_category_name: 'new.name',
      ...newRowFields({ id: 'context_id', plain: 'context_type group_limit' }),
    },
  }),
  ...createdAndUpdated('group_membership', ['user_id', 'workflow_state'], {
    table: 'group_memberships',
    context: {
      type: "'Group'",
      id: 'new.group_id',
      course: "(select g.context_id from groups g where g.id = new.group_id and g.context_type = 'Course')",
      account: "(select g.context_id from groups g where g.id = new.group_id and g.context_type = 'Account')",
    },
    body: {
      group_membership_id: idSql('new.id'),
      group_category_name: categoryName,
      ...newRowFields({ id: 'user_id group_id group_category_id', plain: 'group_name workflow_state' }),
    },
  }),
];

/** The context of a conversation may be absent. */
const ofConversation = (row: string) => ({
  type: `coalesce(${row}.context_type, 'Account')`,
  id: `coalesce(${row}.context_id, 1)`,
  course: `iif(${row}.context_type = 'Course', ${row}.context_id, null)`,
  account: '1',
});

/** Without texts: messages are read by their participants only. */
const conversationEvents: readonly WebhookSource[] = [
  {
    event: 'conversation_created',
    table: 'conversations',
    on: 'insert',
    context: ofConversation('new'),
    body: { conversation_id: idSql('new.id'), ...newRowFields({ plain: 'updated_at' }) },
  },
  {
    event: 'conversation_message_created',
    table: 'conversation_messages',
    on: 'insert',
    from: 'conversations v',
    where: 'v.id = new.conversation_id',
    context: ofConversation('v'),
    actor: 'new.author_id',
    object: "'conversations ' || new.conversation_id",
    body: { message_id: idSql('new.id'), ...newRowFields({ id: 'conversation_id author_id', plain: 'created_at' }) },
  },
  {
    event: 'conversation_forwarded',
    table: 'conversation_messages',
    on: 'insert',
    when: 'json_array_length(new.forwarded_message_ids) > 0',
    from: 'conversations v',
    where: 'v.id = new.conversation_id',
    context: ofConversation('v'),
    actor: 'new.author_id',
    object: "'conversations ' || new.conversation_id",
    body: { conversation_id: idSql('new.conversation_id'), updated_at: 'v.updated_at' },
  },
];

export const webhookPeopleSources: readonly WebhookSource[] = [...courseEvents, ...userEvents, ...groupEvents, ...conversationEvents];
