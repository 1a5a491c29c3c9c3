// For each notification: a statement that reads its subject, and one that finds its recipients. Recipients must be allowed to see the subject; where
// a statement cannot decide that, no one is notified.

import { type SQL, sql } from 'drizzle-orm';
import { isGrader, isStaff } from '../../contexts/predicates';
import { assignedTo } from '../../rules/assigned';
import { isHiddenSql } from '../../rules/posted';
import { instructors, matter, members, type NotificationMessage, userNameSql } from './notification_message';

const topicOf = (id: number): SQL => sql`discussion_topics t where t.id = ${id}`;
/** Members of the topic's sections; only staff when the assignment is for some students only. */
const readsTopic = (id: number): SQL => sql`e.user_id is not (select t.user_id from ${topicOf(id)})
  and (${isStaff('e')} or (
    not exists (select 1 from ${topicOf(id)} and t.section_ids is not null and e.course_section_id not in (select json_each.value from json_each(t.section_ids)))
    and not exists (select 1 from ${topicOf(id)} and t.group_category_id is not null)
    and not exists (select 1 from discussion_topics t join assignments a on a.id = t.assignment_id where t.id = ${id} and (a.only_visible_to_overrides or a.workflow_state <> 'published'))))`;

const topic = (words: Pick<NotificationMessage, 'subject' | 'text'>, html?: string): NotificationMessage => ({
  matter: (id) =>
    matter(
      {
        title: 't.title',
        // Anonymous topics do not name an author.
        author: '(case when t.anonymous_state is null and not t.is_anonymous_author then t.user_id end)',
        ...(html && { html }),
        path: "'/courses/' || c.id || '/discussion_topics/' || t.id",
      },
      sql`from discussion_topics t join courses c on c.id = t.context_id where t.id = ${id} and t.context_type = 'Course' and t.workflow_state = 'active'`,
    ),
  readers: (id, now) => members(sql`select t.context_id from ${topicOf(id)}`, now, readsTopic(id)),
  ...words,
});

const assignment = (subject: NotificationMessage['subject']): NotificationMessage => ({
  matter: (id) =>
    matter(
      { title: 'a.name', path: "'/courses/' || c.id || '/assignments/' || a.id", at: 'a.due_at' },
      sql`from assignments a join courses c on c.id = a.course_id where a.id = ${id} and a.workflow_state = 'published' and not a.only_visible_to_overrides`,
    ),
  readers: (id, now) => members(sql`select course_id from assignments where id = ${id}`, now, sql`e.type = 'StudentEnrollment'`),
  subject,
  // Without a date, because overrides give students different due dates.
  text: ({ title, place }) => `${title}, in ${place}.`,
});

const wikiPage = (subject: NotificationMessage['subject']): NotificationMessage => ({
  matter: (id) =>
    matter(
      { title: 'p.title', author: 'p.last_edited_by_id', path: "'/courses/' || c.id || '/pages/' || p.url" },
      sql`from pages p join courses c on c.id = p.context_id where p.id = ${id} and p.context_type = 'Course' and p.workflow_state = 'active'`,
    ),
  readers: (id, now) =>
    members(
      sql`select context_id from pages where id = ${id}`,
      now,
      sql`e.user_id is not (select last_edited_by_id from pages where id = ${id})`,
    ),
  subject,
  text: ({ title, place }) => `${title}, in ${place}.`,
});

const submissionOf = (id: number, columns: string): SQL => sql`(select ${sql.raw(columns)} from submissions s where s.id = ${id})`;

/** To the user who requested the report, if they may still read reports of the account. */
const ofReport = (subject: NotificationMessage['subject']): NotificationMessage => ({
  matter: (
    id,
  ) => sql`select c.id as account_id, c.name as place, replace(replace(r.report, '_csv', ''), '_', ' ') as title, null as author, null as html,
      '/admin' as path, null as at from account_reports r join accounts c on c.id = r.account_id where r.id = ${id} and r.workflow_state in ('complete', 'error')`,
  readers: (id) =>
    sql`select r.user_id from account_reports r where r.id = ${id} and exists (select 1 from admins d where d.user_id = r.user_id and d.workflow_state = 'active')`,
  subject,
  text: ({ place, title }) => `Your report ${title} for ${place}.`,
});

export const notificationMessages: Readonly<Record<string, NotificationMessage>> = {
  new_announcement: topic(
    {
      subject: ({ title, place }) => `${title}: ${place}`,
      text: ({ author, place }) => `${author ?? 'A user'} posted an announcement in ${place}:`,
    },
    't.message',
  ),
  new_discussion_topic: topic({
    subject: ({ title, place }) => `New discussion, ${title}: ${place}`,
    text: ({ author, title, place }) => `${author ?? 'A user'} started the discussion ${title} in ${place}.`,
  }),
  new_discussion_entry: {
    // Without the text, because some recipients must post before reading.
    matter: (id) =>
      matter(
        { title: 't.title', path: "'/courses/' || c.id || '/discussion_topics/' || t.id" },
        sql`from discussion_entries d join discussion_topics t on t.id = d.discussion_topic_id join courses c on c.id = t.context_id
          where d.id = ${id} and d.workflow_state = 'active' and t.workflow_state = 'active' and t.context_type = 'Course'`,
      ),
    readers: (id, now) => sql`
      select r.user_id from discussion_topic_reads r join discussion_entries d on d.discussion_topic_id = r.discussion_topic_id
      where d.id = ${id} and r.subscribed = 1 and r.user_id <> d.user_id
        and r.user_id in (${members(sql`select t.context_id from discussion_topics t join discussion_entries d on d.discussion_topic_id = t.id where d.id = ${id}`, now)})`,
    subject: ({ title, place }) => `New reply in ${title}: ${place}`,
    text: ({ title, place }) => `There is a new reply in the discussion ${title} in ${place}.`,
  },
  assignment_created: assignment(({ title, place }) => `New assignment, ${title}: ${place}`),
  assignment_due_date_changed: assignment(({ title, place }) => `Due date changed, ${title}: ${place}`),
  assignment_changed: assignment(({ title, place }) => `Assignment changed, ${title}: ${place}`),
  submission_graded: {
    // Without the grade, which is shown only after signing in.
    matter: (id) =>
      matter(
        { title: 'a.name', path: "'/courses/' || c.id || '/assignments/' || a.id || '/submissions/' || s.user_id" },
        sql`from submissions s join assignments a on a.id = s.assignment_id join courses c on c.id = s.course_id
          where s.id = ${id} and s.posted_at is not null and s.workflow_state = 'graded' and a.workflow_state = 'published'`,
      ),
    readers: (id, now) =>
      members(submissionOf(id, 's.course_id'), now, sql`e.user_id = ${submissionOf(id, 's.user_id')} and e.type = 'StudentEnrollment'`),
    subject: ({ title, place }) => `Assignment graded, ${title}: ${place}`,
    text: ({ title, place }) => `Your submission for ${title} in ${place} has been graded.`,
  },
  submission_comment: {
    // The link to an anonymous student's submission would name the student to graders.
    matter: (id) =>
      matter(
        {
          title: 'a.name',
          path: "'/courses/' || c.id || '/assignments/' || a.id || iif(a.anonymize_students, '', '/submissions/' || s.user_id)",
        },
        sql`from submission_comments m join submissions s on s.id = m.submission_id join assignments a on a.id = s.assignment_id join courses c on c.id = s.course_id
          where m.id = ${id} and m.workflow_state = 'active' and not m.is_draft and a.workflow_state = 'published'
            and (not ${isHiddenSql('s', 'a')} or m.author_id = s.user_id)`,
      ),
    // The student, and the staff of the whole course if the student wrote the comment.
    readers: (id, now) => sql`
      select e.user_id from submission_comments m join submissions s on s.id = m.submission_id
        join (${members(sql`select s.course_id from submission_comments m join submissions s on s.id = m.submission_id where m.id = ${id}`, now, sql`1`)}) e
        where m.id = ${id} and e.user_id <> m.author_id and (e.user_id = s.user_id or (m.author_id = s.user_id and exists (
          select 1 from enrollments x where x.user_id = e.user_id and x.course_id = s.course_id and x.enrollment_state = 'active'
            and ${isGrader('x')} and not x.limit_privileges_to_course_section)))`,
    subject: ({ title, place }) => `New comment, ${title}: ${place}`,
    text: ({ title, place }) => `There is a new comment on the submission for ${title} in ${place}.`,
  },
  peer_review_invitation: {
    // An anonymous student is named by neither text nor address.
    matter: (id) =>
      matter(
        {
          title: 'assignments.name',
          path: "'/courses/' || c.id || '/assignments/' || assignments.id",
          at: 'assignments.due_at',
        },
        sql`from assessment_requests r join assignments on assignments.id = r.assignment_id join courses c on c.id = assignments.course_id
          where r.id = ${id} and r.workflow_state = 'assigned' and assignments.workflow_state = 'published' and assignments.options ->> 'peer_reviews'`,
      ),
    readers: (id, now) =>
      members(
        sql`select a.course_id from assessment_requests r join assignments a on a.id = r.assignment_id where r.id = ${id}`,
        now,
        sql`e.user_id = (select r.assessor_id from assessment_requests r where r.id = ${id}) and e.type = 'StudentEnrollment'
          and exists (select 1 from assessment_requests r join assignments on assignments.id = r.assignment_id where r.id = ${id} and ${assignedTo(sql.raw('e.user_id'))})`,
      ),
    subject: ({ title, place }) => `Peer review assigned, ${title}: ${place}`,
    text: ({ title, place }) => `You have been asked to review another student's work for ${title} in ${place}.`,
  },
  new_wiki_page: wikiPage(({ title, place }) => `New page, ${title}: ${place}`),
  updated_wiki_page: wikiPage(({ title, place }) => `Page changed, ${title}: ${place}`),
  new_file_added: {
    // No one is notified about new files when any folder of the course is locked.
    matter: (id) =>
      matter(
        { title: 'f.display_name', path: "'/courses/' || c.id || '/files/' || f.id" },
        sql`from files f join courses c on c.id = f.context_id where f.id = ${id} and f.context_type = 'Course' and f.workflow_state = 'available'
          and not f.locked and not f.hidden and f.lock_at is null and f.unlock_at is null
          and not exists (select 1 from folders r where r.context_type = 'Course' and r.context_id = c.id and (r.locked or r.hidden or r.lock_at is not null or r.unlock_at is not null))`,
      ),
    readers: (id, now) =>
      members(sql`select context_id from files where id = ${id}`, now, sql`e.user_id is not (select user_id from files where id = ${id})`),
    subject: ({ title, place }) => `New file, ${title}: ${place}`,
    text: ({ title, place }) => `${title}, in ${place}.`,
  },
  conversation_message: conversation(({ author, title }) => `New message from ${author ?? 'a user'}${title ? `: ${title}` : ''}`, true),
  added_to_conversation: conversation(({ title }) => `You have been added to a conversation${title ? `: ${title}` : ''}`, false),
  enrollment_invitation: {
    matter: (id) =>
      matter(
        { title: 'c.name', path: "'/courses/' || c.id" },
        sql`from enrollments e join courses c on c.id = e.course_id where e.id = ${id} and e.enrollment_state = 'invited' and c.workflow_state = 'available'`,
      ),
    readers: (id) => sql`select user_id from enrollments where id = ${id} and type <> 'StudentViewEnrollment'`,
    subject: ({ title }) => `Invitation to ${title}`,
    text: ({ title }) => `You have been invited to join ${title}.`,
  },
  enrollment_notification: {
    matter: (id) =>
      matter(
        { title: 'c.name', path: "'/courses/' || c.id" },
        sql`from enrollments e join courses c on c.id = e.course_id where e.id = ${id} and e.enrollment_state = 'active' and c.workflow_state = 'available'`,
      ),
    readers: (id) => sql`select user_id from enrollments where id = ${id} and type <> 'StudentViewEnrollment'`,
    subject: ({ title }) => `You have been enrolled in ${title}`,
    text: ({ title }) => `You have been enrolled in ${title}.`,
  },
  pseudonym_registration: {
    matter: (
      id,
    ) => sql`select c.id as account_id, c.name as place, l.unique_id as title, null as author, null as html, '/login' as path, null as at
      from logins l join accounts c on c.id = l.account_id where l.id = ${id} and l.workflow_state = 'active'`,
    readers: (id) => sql`select user_id from logins where id = ${id}`,
    subject: ({ place }) => `You can sign in to ${place}`,
    text: ({ place, title }) => `A login has been created for you at ${place}: ${title}. Ask an administrator for your password.`,
  },
  new_event_created: {
    matter: (id) =>
      matter(
        { title: 'v.title', path: "'/calendar?event_id=' || v.id", at: 'v.start_at' },
        sql`from calendar_events v join courses c on 'course_' || c.id = coalesce(v.effective_context_code, v.context_code) where v.id = ${id} and v.workflow_state = 'active'`,
      ),
    readers: (id, now) =>
      members(
        sql`select cast(substr(coalesce(effective_context_code, context_code), 8) as integer) from calendar_events where id = ${id}`,
        now,
        sql`exists (select 1 from calendar_events v where v.id = ${id} and v.user_id is not e.user_id and (v.effective_context_code is null or v.context_code = 'course_section_' || e.course_section_id))`,
      ),
    subject: ({ title, place }) => `New event, ${title}: ${place}`,
    text: ({ title, place }) => `${title}, in ${place}.`,
  },
  account_user_notification: {
    matter: (id) => sql`select c.id as account_id, c.name as place, c.name as title, null as author, null as html, '/' as path, null as at
      from admins d join accounts c on c.id = d.account_id where d.id = ${id} and d.workflow_state = 'active'`,
    readers: (id) => sql`select user_id from admins where id = ${id}`,
    subject: ({ place }) => `You are now an administrator of ${place}`,
    text: ({ place }) => `You have been added as an administrator of ${place}.`,
  },
  // Reference 02 §9: the user who started the sync, and the teachers of the associated courses.
  blueprint_sync_complete: {
    matter: (id) =>
      matter(
        { title: 'c.name', path: "'/courses/' || c.id" },
        sql`from blueprint_migrations m join blueprint_templates t on t.id = m.template_id join courses c on c.id = t.course_id where m.id = ${id} and m.workflow_state = 'completed' and c.workflow_state <> 'deleted'`,
      ),
    readers: (id) => sql`select user_id from blueprint_migrations where id = ${id}`,
    subject: ({ title }) => `Sync of ${title} completed`,
    text: ({ title }) => `The changes in the blueprint ${title} have been synced to all associated courses.`,
  },
  blueprint_content_added: {
    matter: (id) =>
      matter(
        { title: 'c.name', path: "'/courses/' || c.id" },
        sql`from blueprint_imports i join courses c on c.id = i.course_id where i.id = ${id} and i.workflow_state = 'completed' and c.workflow_state <> 'deleted'`,
      ),
    readers: (id, now) => instructors(sql`select course_id from blueprint_imports where id = ${id}`, now),
    subject: ({ title }) => `Updates from the blueprint: ${title}`,
    text: ({ title }) => `A blueprint sync has updated ${title}.`,
  },
  report_generated: ofReport(({ title }) => `Your report is ready: ${title}`),
  report_generation_failed: ofReport(({ title }) => `Your report failed: ${title}`),
  webhook_subscription_paused: {
    matter: (
      id,
    ) => sql`select c.id as account_id, c.name as place, s.name as title, null as author, null as html, '/admin' as path, null as at
      from webhook_subscriptions s join accounts c on c.parent_account_id is null where s.id = ${id} and s.workflow_state = 'paused' and c.id = 1`,
    readers: (id) =>
      sql`select s.user_id from webhook_subscriptions s where s.id = ${id} and exists (select 1 from admins d where d.user_id = s.user_id and d.workflow_state = 'active')`,
    subject: ({ title }) => `Webhook paused: ${title}`,
    text: ({ title }) => `The subscription ${title} was paused, because its address does not accept events. Resume it in the console.`,
  },
  account_notification: {
    matter: (
      id,
      now,
    ) => sql`select c.id as account_id, c.name as place, n.subject as title, null as author, n.message as html, '/' as path, null as at
      from account_notifications n join accounts c on c.id = n.account_id where n.id = ${id} and n.start_at <= ${now} and n.end_at >= ${now}`,
    readers: (id) => sql`
      with recursive here(id) as (select account_id from account_notifications where id = ${id} union select accounts.id from accounts join here on accounts.parent_account_id = here.id),
      wanted(role_id) as (select j.value from account_notifications n, json_each(n.role_ids) j where n.id = ${id}),
      held(user_id, role_id) as (
        select user_id, role_id from admins where workflow_state = 'active' and account_id in (select id from here)
        union select e.user_id, e.role_id from enrollments e join courses c on c.id = e.course_id
          where c.account_id in (select id from here) and e.enrollment_state in ('active', 'invited') and c.workflow_state = 'available')
      select distinct user_id from held where not exists (select 1 from wanted) or role_id in (select role_id from wanted)`,
    subject: ({ title, place }) => `${title}: ${place}`,
    text: ({ place }) => `Announcement from ${place}:`,
  },
};

function conversation(subject: NotificationMessage['subject'], tellsBody: boolean): NotificationMessage {
  return {
    matter: (id) => sql`select 1 as account_id, '' as place, coalesce(v.subject, '') as title, ${userNameSql('m.author_id')} as author,
        ${sql.raw(tellsBody ? "'<p>' || replace(replace(replace(m.body, '&', '&amp;'), '<', '&lt;'), char(10), '<br>') || '</p>'" : 'null')} as html, '/conversations' as path, null as at
      from conversation_messages m join conversations v on v.id = m.conversation_id where m.id = ${id}`,
    readers: (id) => sql`
      select p.user_id from conversation_messages m
        join conversation_message_participants x on x.conversation_message_id = m.id and not x.hidden
        join conversation_participants p on p.conversation_id = m.conversation_id and p.user_id = x.user_id
      where m.id = ${id} and p.user_id <> m.author_id and p.subscribed ${sql.raw(tellsBody ? '' : 'and p.joined_at >= m.created_at')}`,
    subject,
    text: ({ author }) => (tellsBody ? `${author ?? 'A user'} sent you a message:` : `${author ?? 'A user'} added you to a conversation.`),
  };
}
