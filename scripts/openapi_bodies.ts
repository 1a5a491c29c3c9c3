// Response types that are not declared resources: pages, feeds and free-form JSON, each with a schema and an example.

export interface Body {
  readonly type: string;
  readonly example: unknown;
}

const page: Body = { type: 'text/html', example: '<!doctype html><html lang="en">…</html>' };
const json = (example: unknown): Body => ({ type: 'application/json', example });
const redirect = page;

/** By method and path. */
export const bodies: ReadonlyMap<string, Body> = new Map([
  ['GET /api/lti/authorize', page],
  ['GET /api/lti/authorize_redirect', page],
  ['GET /api/lti/security/jwks', json({ keys: [{ kty: 'RSA', e: 'AQAB', n: '…', kid: '2026-09', use: 'sig', alg: 'RS256' }] })],
  [
    'GET /api/lti/security/openid-configuration',
    json({ issuer: 'https://learn.example.edu', authorization_endpoint: 'https://learn.example.edu/api/lti/authorize_redirect' }),
  ],
  ['GET /.well-known/jwks', json({ keys: [{ kty: 'EC', crv: 'P-256', kid: '2026-09', use: 'sig', alg: 'ES256', x: '…', y: '…' }] })],
  [
    'GET /.well-known/oauth-authorization-server',
    json({ issuer: 'https://learn.example.edu', token_endpoint: 'https://learn.example.edu/login/oauth2/token' }),
  ],
  ['GET /admin', page],
  ['GET /api/sync/v1/changes', json({ cursor: '…', changes: [], has_more: false })],
  ['GET /api/sync/v1/files/:id/versions/:version_id/download', { type: 'application/octet-stream', example: '…' }],
  ['GET /api/sync/v1/live', json({ type: 'changed' })],
  ['GET /api/v1/accounts/search', json([{ id: 1, name: 'Whitmore College', domain: 'learn.example.edu', distance: null }])],
  ['GET /api/v1/brand_variables', json({ 'ic-brand-primary': '#0374b5' })],
  [
    'GET /api/v1/calendar_events/visible_contexts',
    json({ contexts: [{ asset_string: 'course_7', name: 'Astronomy', color: '#2d3b45', selected: true }] }),
  ],
  ['GET /api/v1/conferences', json({ conferences: [] })],
  ['POST /api/v1/conversations/mark_all_as_read', json({})],
  ['GET /api/v1/features/environment', json({ epub_export: true })],
  [
    'GET /api/v1/rubrics/upload_template',
    {
      type: 'text/csv',
      example: 'Rubric Name,Criteria Name,Criteria Description,Criteria Enable Range,Rating Name,Rating Description,Rating Points',
    },
  ],
  ['GET /api/v1/settings/environment', json({ calendar_contexts_limit: 10 })],
  ['DELETE /api/v1/users/self/activity_stream', json({ hidden: true })],
  ['GET /eportfolios', page],
  ['POST /files_api', json({ id: 12, display_name: 'syllabus.pdf', size: 18204, 'content-type': 'application/pdf' })],
  ['GET /login', page],
  ['GET /login/canvas', page],
  ['GET /login/forgotten', page],
  ['GET /login/oauth2/auth', page],
  ['GET /login/oauth2/callback', redirect],
  ['GET /login/oauth2/confirm', page],
  ['GET /login/openid_connect', redirect],
  ['GET /login/session_token', json({ session_url: 'https://learn.example.edu/login/session/mYoVDSqTVRBkDgRkYiCqPz' })],
  ['GET /logout', page],
  ['POST /logout', redirect],
  ['DELETE /logout', redirect],
  ['GET /profile/settings', page],
  ['POST /profile/settings/calendar', redirect],
  ['GET /setup', page],
  ['POST /setup', page],
]);
