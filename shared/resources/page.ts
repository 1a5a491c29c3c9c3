// What clients see of a wiki page and its revisions (reference of the API: Pages).

import { bool, int, json, maybe, optional, text, time } from '../wire/fields';
import { lockFieldShapes } from './lock_fields';
import { resource } from './resource';
import { UserDisplay } from './user_display';

export const Page = resource('Page', {
  page_id: int,
  /** The same value: some clients read this one. */
  id: int,
  url: text,
  title: text,
  created_at: time,
  updated_at: time,
  editing_roles: text,
  last_edited_by: optional(UserDisplay.field),
  published: bool,
  hide_from_students: bool,
  front_page: bool,
  html_url: text,
  todo_date: maybe(time),
  publish_at: maybe(time),
  ...lockFieldShapes,
  /** For single pages; absent while locked. */
  body: optional(maybe(text)),
  editor: optional(maybe(text)),
  assignment: optional(json),
  /** For callers who may update it: opaque, for `If-Match`. Changes with title, body, state and publication date. */
  version: optional(text),
});

export const PageRevision = resource('PageRevision', {
  revision_id: int,
  updated_at: time,
  latest: bool,
  edited_by: optional(maybe(UserDisplay.field)),
  /** Absent in lists and summaries. */
  url: optional(text),
  title: optional(text),
  body: optional(maybe(text)),
});
