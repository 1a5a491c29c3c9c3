// What clients see of a page view (reference of the API: Page views).

import { bool, int, maybe, number, object, text, time } from '../wire/fields';
import { resource } from './resource';

export const PageView = resource('PageView', {
  id: text,
  url: text,
  context_type: maybe(text),
  asset_type: maybe(text),
  controller: text,
  action: text,
  contributed: bool,
  interaction_seconds: maybe(number),
  created_at: time,
  user_request: bool,
  render_time: number,
  user_agent: maybe(text),
  participated: bool,
  http_method: text,
  remote_ip: maybe(text),
  app_name: maybe(text),
  links: object({ user: int, context: maybe(int), asset: maybe(int), real_user: maybe(int), account: int }),
});
