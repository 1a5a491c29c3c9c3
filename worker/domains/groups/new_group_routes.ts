// Endpoints that create groups: communities, groups of a set, and student-organised groups.

import { maybe, optional, referenceTo } from '@carrel/shared/wire/fields';
import { wordOf } from '@carrel/shared/wire/form';
import { and, eq } from 'drizzle-orm';
import type { CategoryRow } from '../../contexts/group';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { post } from '../../http/endpoint';
import { unauthorized } from '../../http/problem';
import type { Reply } from '../../http/reply';
import { group_categories } from '../group_categories/table';
import { contextsOfCategory, missingCategory } from './category_context';
import { changedGroup, groupIncludes as include } from './json';
import { categoryOf, ensureCategory, groupColumnsOf, groupFields, makeGroup } from './new_group';

const quotaIn = ({ root }: Call['institution']): number => root.default_group_storage_quota_mb ?? 50;

/** A community: any user of the institution may create one. */
const aCommunity = (call: Call, given: Parameters<typeof groupColumnsOf>[0]): Reply => {
  const { db, institution, now } = call;
  const { id } = institution.root;
  return makeGroup(
    call,
    {
      type: 'Account',
      id,
      role: 'communities',
      non_collaborative: false,
      category: categoryOf('Account', id, 'communities'),
      quota: quotaIn(institution),
    },
    groupColumnsOf(given, { role: 'communities' }, undefined),
    [ensureCategory(db, 'Account', id, 'communities', now)],
  );
};

/** Who may create groups: users with the permission, and students in categories for student groups. */
const mayMakeIn = ({ course, account }: Call, { role }: Pick<CategoryRow, 'role'>): boolean => {
  if (role === 'communities') return true;
  if ((course ?? account)?.can('manage_groups_add')) return true;
  return role === 'student_organized' && course?.participates === true && course.settings.allow_student_organized_groups !== false;
};

async function inSet(call: Call, id: number, given: Parameters<typeof groupColumnsOf>[0]): Promise<Reply> {
  const { db, course, account, institution } = call;
  const [[category]] = await db.perform([
    db.build
      .select()
      .from(group_categories)
      .where(and(eq(group_categories.id, id), eq(group_categories.workflow_state, 'available'))),
  ]);
  if (!category || !(course ?? account)) throw missingCategory();
  if (!mayMakeIn(call, category)) throw unauthorized();
  const columns = groupColumnsOf(given, category, course ?? account);
  return makeGroup(
    call,
    {
      type: category.context_type,
      id: category.context_id,
      role: category.role,
      non_collaborative: category.non_collaborative,
      category: category.id,
      quota: quotaIn(institution),
    },
    columns,
  );
}

export const newGroupRoutes = [
  post(
    '/groups',
    {
      can: 'user',
      within: (_, tree) => contextsOfCategory({ id: wordOf(tree.group_category_id) }),
      params: { ...groupFields, group_category_id: optional(maybe(referenceTo('group_category'))) },
      include,
      returns: changedGroup,
      summary: 'Create a community or a group in a group category',
    },
    (call) =>
      call.params.group_category_id == null
        ? aCommunity(call, call.params)
        : inSet(call, readId(call.params.group_category_id) ?? call.named_id ?? 0, call.params),
  ),
  post(
    '/group_categories/:id/groups',
    {
      can: 'user',
      within: contextsOfCategory,
      params: groupFields,
      include,
      returns: changedGroup,
      summary: 'Create a group in a group category',
    },
    (call) => inSet(call, call.id, call.params),
  ),
  post(
    '/courses/:course_id/groups',
    {
      can: (call) => call.course?.can('manage_groups_add') === true || mayMakeIn(call, { role: 'student_organized' }),
      params: groupFields,
      include,
      returns: changedGroup,
      summary: 'Create a student-organised group',
    },
    (call) => {
      const { db, course, institution, now } = call;
      return makeGroup(
        call,
        {
          type: 'Course',
          id: course.id,
          role: 'student_organized',
          non_collaborative: false,
          category: categoryOf('Course', course.id, 'student_organized'),
          quota: quotaIn(institution),
        },
        groupColumnsOf(call.params, { role: 'student_organized' }, course),
        [ensureCategory(db, 'Course', course.id, 'student_organized', now)],
      );
    },
  ),
];
