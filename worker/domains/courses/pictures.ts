// Course images: files of the course, or external URLs.

import { type SQL, sql } from 'drizzle-orm';
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

/** Columns needed for the file URLs. */
export const pictureColumns = { image_uuid: uuidOf('image'), banner_image_uuid: uuidOf('banner_image') };

/** The URLs of the image files of a row read with those columns. */
export function picturesOf(row: CourseRow, origin: string): Pictures {
  const result = row as CourseRow & { image_uuid?: string | null; banner_image_uuid?: string | null };
  const address = (id: unknown, uuid: string | null | undefined) => (uuid ? downloadAddress({ id: Number(id), uuid }, origin) : undefined);
  return {
    image: address(row.settings.image_id, result.image_uuid),
    banner_image: address(row.settings.banner_image_id, result.banner_image_uuid),
  };
}

/** The image of a course in another statement, by id; read it with `pictureAddress`. */
export const pictureOf = (id: SQL): SQL<string | null> =>
  sql`(select json_object('id', settings ->> '$.image_id', 'url', settings ->> '$.image_url', 'uuid', ${pictureColumns.image_uuid.getSQL()}) from courses where courses.id = ${id})`;

/** The image URL, if any. */
export function pictureAddress(given: string | null, origin: string): string | null {
  if (given === null) return null;
  const { id, url, uuid } = JSON.parse(given) as Record<'id' | 'url' | 'uuid', string | null>;
  return uuid ? downloadAddress({ id: Number(id), uuid }, origin) : url;
}
