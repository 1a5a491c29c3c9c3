// The metadata of an icon made by Canvas' icon maker, which stores it inside the SVG.

import { eq } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { found, problem } from '../../http/problem';
import { answer, type Reply } from '../../http/reply';
import type { FileRow } from './json';
import { blobs } from './table';

const largest = 1_048_576;

/** @throws Problem 400 unless the icon contains metadata */
export async function iconMetadata({ db, env, meter }: Pick<Call, 'db' | 'env' | 'meter'>, file: FileRow): Promise<Reply> {
  const refusal = () => problem(400, 'The requested attachment does not support viewing metadata.');
  if (file.category !== 'icon_maker_icons' || file.content_type !== 'image/svg+xml' || file.size > largest) throw refusal();
  const [[blob]] = await db.perform([
    db.build
      .select({ key: blobs.key })
      .from(blobs)
      .where(eq(blobs.id, file.blob_id ?? 0)),
  ]);
  meter.r2_calls += 1;
  const written = await (await env.FILES.get(found(blob).key))?.text();
  const [, described = ''] = /<metadata[^>]*>(?:\s*<!\[CDATA\[)?\s*(\{[\s\S]*?\})\s*(?:\]\]>\s*)?<\/metadata>/.exec(written ?? '') ?? [];
  try {
    return answer(JSON.parse(described));
  } catch {
    throw refusal();
  }
}
