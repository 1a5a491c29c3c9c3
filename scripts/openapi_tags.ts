// The tags of the OpenAPI document: one for each domain of the Worker, with a description.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lookUp } from '../shared/wire/look_up.ts';
import type { Endpoint } from '../worker/http/endpoint.ts';

export interface Tag {
  readonly name: string;
  readonly description: string;
}

const tag = (name: string, description: string): Tag => ({ name, description });

/** By the folder of the routes, or of their domain; by the name of a file where it has a tag of its own. */
const tags: Readonly<Record<string, Tag>> = {
  account_calendars: tag('Account calendars', 'Calendars of accounts, their visibility and the subscriptions of users.'),
  account_notifications: tag('Account notifications', 'Announcements that every user of an account sees until they close them.'),
  accounts: tag('Accounts', 'The institution and its sub-accounts: settings, courses, users and permissions.'),
  activity_stream: tag('Activity stream', 'What has happened recently in the courses and groups of the caller.'),
  admin_console: tag('Administration console', 'The pages of the administration console.'),
  admins: tag('Admins', 'Users who administer an account, and the roles they hold there.'),
  announcements: tag('Announcements', 'Announcements of several courses in one list.'),
  'calendar_events/appointment_groups': tag('Appointment groups', 'Time slots that students or groups can reserve.'),
  assignment_groups: tag('Assignment groups', 'Groups of assignments with their weights and drop rules.'),
  'assignments/overrides': tag('Assignment overrides', 'Dates of an assignment for some students, a group or a section.'),
  course_assignments: tag('Assignments', 'Assignments of a course: dates, points and submission types.'),
  audit: tag('Audit logs', 'Sign-ins of users and changes to courses.'),
  authentication_providers: tag('Authentication providers', 'Identity providers that users can sign in with, and SSO settings.'),
  blueprint_subscriptions: tag('Blueprint subscriptions', 'The blueprint of a course, and its syncs.'),
  blueprint_templates: tag('Blueprint templates', 'Blueprint courses: their associated courses, restrictions and syncs.'),
  bookmarks: tag('Bookmarks', 'Links that a user keeps.'),
  brand_variables: tag('Brand variables', 'Colours and images of the institution.'),
  calendar_events: tag('Calendar events', 'Events and assignments in the calendars of users, courses, groups and sections.'),
  'calendar_events/feeds': tag('Calendar feeds', 'Feeds in iCalendar format for calendar programs.'),
  collaborations: tag('Collaborations', 'Documents that members of a course or group edit together.'),
  comm_messages: tag('Comm messages', 'Messages that the service has sent to a user.'),
  communication_channels: tag('Communication channels', 'Addresses at which users receive notifications.'),
  conferences: tag('Conferences', 'Web conferences of courses and groups.'),
  content_licenses: tag('Content licenses', 'Licenses that can be given to files.'),
  conversations: tag('Conversations', 'Messages between users: inbox, threads and recipients.'),
  course_copy: tag('Course copy', 'Copies of the content of a course into another one.'),
  course_nicknames: tag('Course nicknames', 'Names that users give to courses for themselves.'),
  course_users: tag('Course users', 'The users of a course, with their enrollments.'),
  courses: tag('Courses', 'Courses: creation, settings, publishing and deletion.'),
  custom_data: tag('Custom data', 'JSON that applications store for a user.'),
  'assignments/dates': tag('Date details', 'All dates and overrides of one item.'),
  developer_keys: tag('Developer keys', 'Applications that may ask for tokens through OAuth2.'),
  discussion_topics: tag('Discussion topics', 'Discussions and announcements with their entries, replies and read marks.'),
  'assignments/dates/effective': tag('Effective due dates', 'The due date of each assignment for each student.'),
  enrollments: tag('Enrollments', 'Who takes part in a course or section, and as what.'),
  eportfolios: tag('ePortfolios', 'Portfolios of users with their sections and pages.'),
  external_feeds: tag('External feeds', 'RSS and Atom feeds whose entries become announcements.'),
  favorites: tag('Favorites', 'Courses and groups that a user has starred.'),
  features: tag('Feature flags', 'Features that accounts, courses and users turn on or off.'),
  files: tag('Files', 'Files of courses, groups and users: upload, download, move and usage rights.'),
  'files/folders': tag('Folders', 'Folders of files.'),
  group_categories: tag('Group categories', 'Sets of groups, with import, export and automatic assignment.'),
  groups: tag('Groups', 'Groups of students and their memberships.'),
  jobs: tag('Jobs', 'Background jobs: failed jobs and how to run them again.'),
  jwts: tag('JWTs', 'Signed tokens for other services.'),
  login: tag('Login', 'Pages on which users sign in and out.'),
  modules: tag('Modules', 'Modules of a course: items, requirements and progress.'),
  notification_preferences: tag('Notification preferences', 'How often each notification is sent to each address of a user.'),
  oauth2: tag('OAuth2', 'Authorization and token endpoints for applications.'),
  'users/observers': tag('Observers', 'Links between observers and the students they observe.'),
  page_views: tag('Page views', 'Requests that a user has made.'),
  pages: tag('Pages', 'Wiki pages of courses and groups, with their revisions.'),
  planner: tag('Planner', 'Planner items, notes and overrides of a user.'),
  profile: tag('Profile', 'Profiles, settings, colours and avatars of users.'),
  progress: tag('Progress', 'The state of background jobs.'),
  reports: tag('Account reports', 'Reports of an account as files.'),
  request_counts: tag('Request counts', 'How many requests were served, and how many failed.'),
  roles: tag('Roles', 'Roles of an account and their permissions.'),
  scopes: tag('Scopes', 'Scopes that tokens of applications can be limited to.'),
  search: tag('Search', 'Search for recipients, courses and accounts.'),
  sections: tag('Sections', 'Sections of courses, and cross-listing.'),
  setup: tag('Setup', 'The page on which the first administrator is created.'),
  sis_imports: tag('SIS imports', 'Imports of users, courses and enrollments from a student information system.'),
  smartsearch: tag('Smart search', 'Search in the content of a course.'),
  student_view: tag('Student view', 'The test student of a course.'),
  submissions: tag('Submissions', 'Submissions of students: submit, grade, comment and read.'),
  sync: tag('Sync', "Carrel's own feed of changes for programs that keep a copy."),
  tabs: tag('Tabs', 'Tabs of the navigation of a course or group.'),
  terms: tag('Enrollment terms', 'Terms of an institution, with their dates.'),
  todo: tag('To-do', 'Items to do and submissions to grade.'),
  tokens: tag('Access tokens', 'Tokens that users create for programs.'),
  topic_feeds: tag('Topic feeds', 'Announcements and podcasts as feeds for readers.'),
  user_merges: tag('User merges', 'Merging two users into one, and splitting them again.'),
  users: tag('Users', 'Users and their logins.'),
};

const domains = join(import.meta.dirname, '../worker/domains');

/** The tag of a file of routes: that of its own name, else that of the nearest folder. */
function tagFor(file: string): Tag {
  for (let path = file.replace(/[/_]routes\.ts$/, ''); path !== ''; path = path.replace(/(^|\/)[^/]*$/, '')) {
    const known = lookUp(tags, path);
    if (known) return known;
  }
  throw new Error(`scripts/openapi_tags.ts has no sentence for worker/domains/${file}`);
}

/**
 * The tag of each endpoint, found by the module that exports it.
 * @throws Error for a domain without a sentence
 */
export async function tagsOf(): Promise<ReadonlyMap<Endpoint, Tag>> {
  const found = new Map<Endpoint, Tag>();
  const files = readdirSync(domains, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  for (const file of files.filter((one) => /[/_]routes\.ts$/.test(one))) {
    const its = tagFor(file);
    const module: Record<string, unknown> = await import(pathToFileURL(join(domains, file)).href);
    for (const exported of Object.values(module)) if (Array.isArray(exported)) for (const endpoint of exported) found.set(endpoint, its);
  }
  return found;
}
