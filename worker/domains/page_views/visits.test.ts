import { expect, test } from 'vitest';
import type { RecordedView } from './view';
import { visitOf } from './visits';

const view = (more: Partial<RecordedView>): RecordedView => ({
  uuid: 'u',
  user_id: 1,
  real_user_id: null,
  context_type: null,
  context_id: null,
  asset_type: null,
  asset_id: null,
  controller: 'external_tools',
  action: 'show',
  participated: false,
  user_request: true,
  http_method: 'GET',
  url: 'https://x.example/courses/3/external_tools/5?display=borderless',
  user_agent: null,
  remote_ip: null,
  app_name: null,
  render_time: 0,
  created_at: '2026-01-01T00:00:00Z',
  ...more,
});

test('a page that a user has opened in a browser is a visit', () => {
  expect(visitOf(view({}))).toMatchObject({ context_type: 'Course', context_id: 3, tool_id: 5 });
  expect(visitOf(view({ url: 'https://x.example/accounts/1/external_tools/5' }))).toMatchObject({ context_type: 'Account', context_id: 1 });
  for (const other of [
    { user_request: false },
    { real_user_id: 2 },
    { http_method: 'POST' },
    { url: 'https://x.example/api/v1/courses/3/external_tools/5' },
    { url: 'https://x.example/courses/3/external_tools/retrieve' },
    { url: 'nonsense' },
  ])
    expect(visitOf(view(other)), JSON.stringify(other)).toBeUndefined();
});
