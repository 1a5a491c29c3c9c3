// Every id parameter of a write endpoint declares what it refers to, so that the test with foreign ids can send one.

import { expect, test } from 'vitest';
import { endpoints } from '../worker/dist/endpoints';
import { lastName, paramNameOf, paramsOf } from './support/id_params';

/** What the name of an id parameter looks like. */
const looksLikeAnId = /(^|_)(ids?|codes?)(_|$)|Ids?$/;

/** Names that look like ids but refer to nothing stored for another user, with the reason. */
const noIds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['account', 'assignment', 'course', 'group', 'group_category', 'section', 'term', 'user'].map((kind) => [
      `sis_${kind}_id`,
      'a new name for the created object',
    ]),
  ),
  sis_source_id: 'a new name for the created object',
  integration_id: 'a new name for the created object',
  unique_id: 'a login name',
  course_code: 'a name of the course',
  document_id: 'an id in the service that stores the document',
  vendor_code: 'a name of the developer key',
  client_id: 'known to every user',
  app_id: 'an id at an identity provider',
  application_id: 'an id at an identity provider',
  district_id: 'an id at an identity provider',
  idp_entity_id: 'an id at an identity provider',
  anonymous_id: 'a student of the assignment in the path, and of no other',
  anonymous_ids: 'students of the assignment in the path, and of no other',
  media_comment_id: 'an id in a media service; media are not stored',
  assignment_set_id: 'mastery paths are not stored',
  replacement_chain_context_id: 'not read; only its type is',
  unique_id_forgot: 'a login name',
  code_challenge: 'a secret',
  code_challenge_method: 'a word',
  code_verifier: 'a secret',
  update_sis_id_if_login_claimed: 'yes or no',
  code: 'a secret, or a value returned with an event',
  pairing_code: 'a secret',
  access_code: 'a secret',
  student_access_code: 'a secret',
  require_student_access_code: 'yes or no',
  unified_tool_id: 'a name that vendors share',
  resourceId: 'a name that the tool gives',
  resourceLinkId: 'a uuid in the course of the path, which only the tool of its link may name',
  blank_id: 'a name in the text of the question',
  self_enrollment_code: 'a secret',
};

const declared = endpoints
  .filter(({ method }) => method !== 'GET')
  .flatMap(({ method, path, options }) => paramsOf(options.params ?? {}).map((param) => ({ at: `${method} ${path}`, param })));

test('every parameter that looks like an id declares what it is the id of', () => {
  const silent = declared.filter(({ param }) => !param.kind && looksLikeAnId.test(lastName(param)) && !(lastName(param) in noIds));
  expect([...new Set(silent.map(({ at, param }) => `${paramNameOf(param)} (${at})`))]).toEqual([]);
});

test('the list of exceptions has only parameters that exist', () => {
  const names = new Set(declared.filter(({ param }) => !param.kind).map(({ param }) => lastName(param)));
  expect(Object.keys(noIds).filter((name) => !names.has(name))).toEqual([]);
});
