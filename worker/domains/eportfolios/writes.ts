// Creates and changes ePortfolios.

import { bool, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { invalid, unauthorized } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { isBarred } from './policy';
import { eportfolio_pages, eportfolio_sections, eportfolios } from './table';

const fields = { name: optional(text), public: optional(bool) };
/** As `eportfolio[name]`, and without the brackets. */
export const eportfolioParams = { ...fields, eportfolio: optional(object(fields)) };

export interface EPortfolioGiven {
  readonly name?: string;
  readonly public?: boolean;
}

/** @throws Problem 400 for a name that is too long */
export function givenIn({ eportfolio, ...flat }: Shape<typeof eportfolioParams>): EPortfolioGiven {
  const name = (eportfolio?.name ?? flat.name)?.trim();
  if (name !== undefined && name.length > 255) throw invalid('name', 'too_long', 'is too long (maximum is 255 characters)');
  return { name: name || undefined, public: eportfolio?.public ?? flat.public };
}

type Around = Pick<Call, 'db' | 'me' | 'now'>;

const newest = ({ me }: Pick<Call, 'me'>) => sql`(select max(p.id) from eportfolios p where p.user_id = ${me.id})`;
export const isNewestEPortfolio = (call: Pick<Call, 'me'>) => sql`${eportfolios.id} = ${newest(call)}`;

/** A new ePortfolio with a first section and page. @throws Problem 400 without a name */
export function createEPortfolio({ db, me, now }: Around, given: EPortfolioGiven): Statement[] {
  if (given.name === undefined) throw invalid('name', 'blank', "can't be blank");
  const times = { created_at: now, updated_at: now };
  const eportfolio_id = newest({ me });
  const section_id = sql`(select max(s.id) from eportfolio_sections s where s.eportfolio_id = ${eportfolio_id})`;
  return [
    db.build.insert(eportfolios).values({ user_id: me.id, name: given.name, public: given.public ?? false, ...times }),
    db.build.insert(eportfolio_sections).values({ eportfolio_id, position: 1, name: 'Home', ...times }),
    db.build.insert(eportfolio_pages).values({ eportfolio_id, section_id, position: 1, name: 'Welcome', content: '', ...times }),
  ];
}

/** Changes its name and visibility. */
export const updateEPortfolio = ({ db, now }: Pick<Call, 'db' | 'now'>, id: number, given: EPortfolioGiven): Statement =>
  db.build
    .update(eportfolios)
    .set({
      ...(given.name !== undefined && { name: given.name }),
      ...(given.public !== undefined && { public: given.public }),
      updated_at: now,
    })
    .where(eq(eportfolios.id, id));

export const deleteEPortfolio = ({ db, now }: Pick<Call, 'db' | 'now'>, id: number): Statement =>
  db.build
    .update(eportfolios)
    .set({ workflow_state: 'deleted', deleted_at: now, updated_at: now })
    .where(and(eq(eportfolios.id, id), eq(eportfolios.workflow_state, 'active')));

/** @throws Problem 401 when an ePortfolio of the caller is marked as spam */
async function refuseBarred({ db, me }: Pick<Call, 'db' | 'me'>): Promise<void> {
  const [[state]] = await db.perform([db.build.all<{ barred: number }>(sql`select ${isBarred(me.id)} as barred`)]);
  if (state?.barred) throw unauthorized();
}

/** Creates one for the caller. */
export async function makeEportfolio(call: Pick<Call, 'db' | 'me' | 'now'>, given: EPortfolioGiven): Promise<Reply> {
  const statements = createEPortfolio(call, given);
  await refuseBarred(call);
  return write(statements, one(rows(eportfolios, { where: isNewestEPortfolio(call) })));
}
