// The pictures of a course: files of its own, or addresses elsewhere.

import { sql } from 'drizzle-orm';
import type { CourseRow } from '../../contexts/course';
import { downloadAddress } from '../files/json';

export interface Pictures {
  readonly image?: string;
  readonly banner_image?: string;
}

const uuidOf = (name: 'image' | 'banner_image') =>
  sql<
    string | null
  >`(select f.uuid from files f where f.id = cast(courses.settings ->> ${sql.raw(`'$.${name}_id'`)} as integer) and f.context_type = 'Course' and f.context_id = courses.id and f.workflow_state = 'available')`.as(
    `${name}_uuid`,
  );

/** What the addresses of the files are made with. */
export const pictureColumns = { image_uuid: uuidOf('image'), banner_image_uuid: uuidOf('banner_image') };

/** The addresses of the pictures that are files, of a row that was read with those columns. */
export function picturesOf(row: CourseRow, origin: string): Pictures {
  const told = row as CourseRow & { image_uuid?: string | null; banner_image_uuid?: string | null };
  const address = (id: unknown, uuid: string | null | undefined) => (uuid ? downloadAddress({ id: Number(id), uuid }, origin) : undefined);
  return {
    image: address(row.settings.image_id, told.image_uuid),
    banner_image: address(row.settings.banner_image_id, told.banner_image_uuid),
  };
}
