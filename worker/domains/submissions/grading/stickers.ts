// Stickers that graders put on submissions.

import { sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { Problem } from '../../../http/problem';
import { submissionId } from '../../../rules/submission_ids';
import { submissions } from '../table';

interface Stuck {
  readonly assignment: { readonly id: number };
  readonly user_id: number;
  readonly grade?: { readonly sticker?: string | null };
}

/** The names are pictures of the client, so only their form is checked. */
const name = /^[a-z][a-z0-9_]{0,49}$/;

/** @throws Problem 400 for a text that names no sticker */
export function checkSticker({ sticker }: { readonly sticker?: string | null }): void {
  if (sticker && !name.test(sticker)) throw new Problem(400, { error: 'sticker is not the name of a sticker' });
}

export const setStickers = ({ db, now }: Pick<Call, 'db' | 'now'>, deeds: readonly Stuck[]): Statement[] =>
  deeds.flatMap(({ assignment, user_id, grade }) =>
    grade?.sticker === undefined
      ? []
      : [
          db.build
            .update(submissions)
            .set({ sticker: grade.sticker, updated_at: now })
            .where(sql`id = ${submissionId(assignment.id, user_id)}`),
        ],
  );
