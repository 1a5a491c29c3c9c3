// What clients see of reports about an account (reference of the API: Account Reports).

import { int, json, maybe, oneOf, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';
import { User } from './user';

export const AccountReport = resource('AccountReport', {
  id: int,
  report: text,
  title: text,
  status: oneOf('created', 'running', 'compiling', 'complete', 'error', 'aborted', 'deleted'),
  progress: int,
  /** Rows written so far. */
  current_line: maybe(int),
  /** As sent, plus `extra_text`, the report's status message. */
  parameters: json,
  created_at: time,
  started_at: maybe(time),
  ended_at: maybe(time),
  file_url: optional(text),
  attachment: optional(File.field),
  user: optional(User.field),
});

export const AccountReportType = resource('AccountReportType', {
  report: text,
  title: text,
  /** By name: `{required, description}`. */
  parameters: json,
  last_run: maybe(json),
  description_html: optional(text),
  params_html: optional(text),
});
