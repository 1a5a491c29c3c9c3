// Who manages the resource links of a course, and which of them a request names.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { activeLink } from '../../rules/resource_links';
import { lti_resource_links as links } from './table';

/** Users who install tools and make assignments (reference 06 §9). */
export const managesLinks = (course: CourseContext): boolean =>
  course.canRead && course.can('manage_lti_add') && course.can('manage_assignments_add');

/** @param deletedToo also links that were deleted */
export const linksOfCourse = ({ id }: { readonly id: number }, deletedToo: boolean): SQL =>
  deletedToo ? sql`${links.course_id} = ${id}` : sql`${links.course_id} = ${id} and ${activeLink}`;

const byColumn: Readonly<Record<string, SQLWrapper>> = { resource_link_uuid: links.resource_link_uuid, lookup_uuid: links.lookup_uuid };

/** The link that a path names: by number, `resource_link_uuid:…` or `lookup_uuid:…`. */
export function linkNamed(course: { readonly id: number }, name: string, deletedToo: boolean): SQL {
  const [, column, uuid] = /^(resource_link_uuid|lookup_uuid):(.{1,100})$/.exec(name) ?? [];
  const id = /^\d{1,15}$/.test(name) ? Number(name) : 0;
  const by = lookUp(byColumn, column ?? '');
  const is = by ? sql`${by} = ${uuid}` : sql`${links.id} = ${id}`;
  return sql`${is} and ${linksOfCourse(course, deletedToo)}`;
}
