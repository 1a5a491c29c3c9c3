// What clients see of the calendar of an account (reference of the API: Account Calendars).

import { bool, int, maybe, optional, text } from '../wire/fields';
import { resource } from './resource';

export const AccountCalendar = resource('AccountCalendar', {
  id: int,
  name: text,
  parent_account_id: maybe(int),
  /** 0 for the root account itself. */
  root_account_id: int,
  visible: bool,
  auto_subscribe: bool,
  sub_account_count: int,
  asset_string: text,
  type: text,
  calendar_event_url: text,
  can_create_calendar_events: bool,
  create_calendar_event_url: text,
  new_calendar_event_url: text,
  /** In the response to a bulk update. */
  message: optional(text),
});
