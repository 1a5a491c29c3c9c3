// Page views as clients see them.

import type { RecordedView } from './view';

export const pageViewJson = (view: RecordedView, account_id: number) => ({
  id: view.uuid,
  url: view.url,
  context_type: view.context_type,
  asset_type: view.asset_type,
  controller: view.controller,
  action: view.action,
  contributed: false,
  interaction_seconds: null,
  created_at: view.created_at,
  user_request: view.user_request,
  render_time: view.render_time,
  user_agent: view.user_agent,
  participated: view.participated,
  http_method: view.http_method,
  remote_ip: view.remote_ip,
  app_name: view.app_name,
  links: {
    user: view.user_id,
    context: view.context_id,
    asset: view.asset_id,
    real_user: view.real_user_id,
    account: account_id,
  },
});
