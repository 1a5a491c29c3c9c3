// Endpoints that write, but nothing that the sync feed carries; every other is written through in a test called feed_equals_….

/** `METHOD path`, and why the feed stays as it is. */
export const unfed: Readonly<Record<string, string>> = {
  'POST /files_api': 'the second step of every upload, which the tests of files send past the counting client',
  'POST /files/:id/create_success': 'tells the file that the second step has made',
  'POST /courses/:course_id/preview_html': 'writes nothing',
  'POST /courses/:course_id/modules/:module_id/items/:id/select_mastery_path': 'there are no mastery paths: always refused',
  'POST /progress/:id/cancel': 'the feed carries no jobs; what one has done reaches it by itself',
  'POST /users/:user_id/tokens': 'the feed carries no tokens',
  'PUT /users/:user_id/tokens/:token': 'the feed carries no tokens',
  'DELETE /users/:user_id/tokens/:token': 'the feed carries no tokens',
  'POST /users/:user_id/observer_pairing_codes': 'the feed carries no codes',
  'POST /users/reset_password': 'the feed carries no passwords',
  'DELETE /users/self/activity_stream': 'the feed carries no streams',
  'DELETE /users/self/activity_stream/:item': 'the feed carries no streams',
  'DELETE /users/self/todo/:asset_string/:purpose': 'the feed carries no lists of what is to do',
  'DELETE /users/self/favorites/groups': 'there are no groups yet',
  'POST /users/self/favorites/groups/:id': 'there are no groups yet',
  'DELETE /users/self/favorites/groups/:id': 'there are no groups yet',
  'PUT /accounts/:account_id/features/flags/:feature': 'the feed carries no features',
  'DELETE /accounts/:account_id/features/flags/:feature': 'the feed carries no features',
  'PUT /courses/:course_id/features/flags/:feature': 'the feed carries no features',
  'DELETE /courses/:course_id/features/flags/:feature': 'the feed carries no features',
  'PUT /users/:user_id/features/flags/:feature': 'the feed carries no features',
  'DELETE /users/:user_id/features/flags/:feature': 'the feed carries no features',
};
