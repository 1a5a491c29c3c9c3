// The type of a file, by its header.

import { describe, expect, test } from 'vitest';
import { headerOf, isLitter, parsedRowOf, recognise } from './file_types';

describe('a file is recognised by its header', () => {
  test.each<[string, string]>([
    ['user_id,login_id,status', 'user'],
    ['user_id,login_id,existing_user_id', 'login'],
    ['account_id,parent_account_id,name,status', 'account'],
    ['term_id,name,status,start_date', 'term'],
    ['abstract_course_id,short_name,long_name,status', 'abstract_course'],
    ['course_id,short_name,long_name,term_id,status,abstract_course_id', 'course'],
    ['section_id,course_id,name,status', 'section'],
    ['xlist_course_id,section_id,status', 'xlist'],
    ['course_id,user_id,role,status', 'enrollment'],
    ['section_id,user_integration_id,role_id,status', 'enrollment'],
    ['user_id,account_id,role,status', 'admin'],
    ['group_category_id,account_id,category_name,status', 'group_category'],
    ['group_id,name,status', 'group'],
    ['group_id,user_id,status', 'group_membership'],
    ['tag_set_id,course_id,set_name,status', 'differentiation_tag_set'],
    ['tag_id,tag_set_id,name,status', 'differentiation_tag'],
    ['tag_id,user_id,status', 'differentiation_tag_membership'],
    ['observer_id,student_id,status', 'user_observer'],
    ['enrollment_id,grade_publish_status', 'grade_publishing_result'],
    ['old_id,new_id,type', 'change_sis_id'],
    ['old_integration_id,new_integration_id,type', 'change_sis_id'],
  ])('%s is of the type %s', (header, type) => {
    expect(recognise(headerOf(header.split(',')))).toEqual({ type });
    expect(recognise(headerOf(header.toUpperCase().split(',').reverse().concat('more')))).toEqual({ type });
  });

  test('or it is refused, with what is missing', () => {
    expect(recognise(['name', 'colour'])).toMatchObject({ refusal: expect.stringContaining('no type') });
    expect(recognise(['user_id', 'login_id'])).toEqual({ refusal: 'missing columns: status' });
    expect(recognise(['course_id', 'user_id', 'status'])).toEqual({ refusal: 'missing columns: role or role_id' });
  });

  test('hidden files of archivers are ignored', () => {
    for (const name of ['__MACOSX/._users.csv', '.DS_Store', 'folder/', 'a/.hidden.csv']) expect(isLitter(name), name).toBe(true);
    for (const name of ['users.csv', 'a/users.csv']) expect(isLitter(name), name).toBe(false);
  });
});

test('a row has no cells for missing values', () =>
  expect(parsedRowOf(['a', 'b'], ['x '], 2)).toEqual({ at: 2, cells: { a: 'x', b: '' } }));
