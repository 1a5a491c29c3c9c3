// Brand variables of the caller's account: the one endpoint.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { answer } from '../../http/reply';
import { brandVariables } from './brand';

export const about = { title: 'Brand variables', description: 'Colours and images of the institution.' };

/** The accounts of the caller's courses and roles. */
const theirs = (me: Call['me']): SQL => sql`select account_id from admins where user_id = ${me.id} and workflow_state = 'active'
  union select c.account_id from enrollments e join courses c on c.id = e.course_id
    where e.user_id = ${me.id} and e.enrollment_state in ('active', 'invited', 'completed') and c.workflow_state <> 'deleted'`;

/** The brand settings of the accounts that contain all of the caller's accounts, root first; the last is the caller's account. */
const chosenFor = ({ db, me }: Pick<Call, 'db' | 'me'>) =>
  db.build.all<{ chosen: string | null }>(sql`with theirs(id) as (${theirs(me)})
    select a.settings -> '$.brand_variables' as chosen from account_ancestors t join accounts a on a.id = t.ancestor_id
    where t.account_id in (select id from theirs) group by a.id having count(*) = (select count(*) from theirs)
    order by (select count(*) from account_ancestors d where d.account_id = a.id)`);

export const brandVariableRoutes = [
  get('/brand_variables', { can: 'anyone', returns: { json: null }, summary: 'Get brand variables' }, async (call) => {
    const ofRoot = (call.institution.root.settings.brand_variables ?? {}) as Record<string, unknown>;
    if (!call.me.isKnown) return answer(brandVariables(ofRoot));
    const [levels] = await call.db.perform([chosenFor(call)]);
    return answer(brandVariables(Object.assign({}, ofRoot, ...levels.map(({ chosen }) => JSON.parse(chosen ?? '{}')))));
  }),
];
