// The external tools of a course in a cartridge.

import { type SQL, sql } from 'drizzle-orm';
import { writeToolLink } from '../../../cartridge/content/tool_link';
import { packageKey } from '../../../cartridge/keys';
import { among } from '../../../database/ids';
import { external_tools } from '../../external_tools/table';
import type { ExportedCourse, PackagePart } from '../quiz_parts';
import type { PartsOf } from './documents';

type ToolRow = typeof external_tools.$inferSelect;

/** Pure. Tools of LTI 1.3 belong to a developer key, which packages do not have. */
export const toolDocument = ({
  name,
  description,
  url,
  domain,
  privacy_level,
  custom_fields,
  settings,
  placements,
  not_selectable,
}: ToolRow) => {
  const { unified_tool_id, icon_url, ...extensions } = settings;
  return writeToolLink({
    title: name,
    description,
    url,
    icon_url: icon_url ?? null,
    custom_fields,
    extensions: {
      privacy_level,
      domain,
      ...(unified_tool_id ? { tool_id: unified_tool_id } : {}),
      ...(not_selectable ? { not_selectable } : {}),
      ...extensions,
    },
    placements,
  });
};

/** Those of the ids that packages have. */
export const packagedTools = ({ id }: ExportedCourse, ids: readonly number[]): SQL =>
  sql`${among(external_tools.id, ids)} and external_tools.context_type = 'Course' and external_tools.context_id = ${id} and external_tools.workflow_state = 'active' and external_tools.version = '1.1'`;

export async function toolParts({ db, course, types }: PartsOf, ids: readonly number[]): Promise<PackagePart[]> {
  const [rows] = await db.perform([db.build.select().from(external_tools).where(packagedTools(course, ids)).orderBy(external_tools.id)]);
  return rows.map((row) => {
    const identifier = packageKey(course.uuid, 'external_tool', row.id);
    const path = `${identifier}.xml`;
    return {
      files: [{ path, content: toolDocument(row) }],
      resources: [{ identifier, type: types.tool, files: [path], dependencies: [] }],
    };
  });
}
