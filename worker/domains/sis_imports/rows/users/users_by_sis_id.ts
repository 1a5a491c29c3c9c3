// Users by the SIS ids of their logins.

import { type SQL, sql } from 'drizzle-orm';
import { inTexts } from '../../../../database/many_rows';
import { rootId } from '../../work';

/** A select of (sis, id) of existing users. */
export const peopleNamed = (values: readonly string[]): SQL =>
  sql`select l.sis_user_id as sis, l.user_id as id from logins l join users u on u.id = l.user_id and u.workflow_state <> 'deleted' where l.account_id = ${sql.raw(String(rootId))} and l.workflow_state <> 'deleted' and l.sis_user_id is not null and ${inTexts('l.sis_user_id', values)}`;
