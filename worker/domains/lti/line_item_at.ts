// The line item that a tool names in a path.

import type { CourseContext } from '../../contexts/course';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { type LineItemRow, lineItemStatements, ownLineItems } from './line_items';
import { ltiProblem, type ServiceCaller, serviceCaller, serviceStatements, serviceTokenOf } from './service_caller';

export type ServiceCall = Pick<Call, 'db' | 'env' | 'request' | 'now' | 'institution' | 'origin' | 'url'> & {
  readonly course: CourseContext;
};

export const notThere = () => ltiProblem(404, 'not_found', 'The specified resource does not exist.');

/** The line item of a path, and the tool that asks. @param more read in the same trip @throws Problem 401, 404 */
export async function lineItemAt(
  call: ServiceCall,
  id: number,
  scopes: readonly string[],
  more: readonly Statement[] = [],
): Promise<{ readonly row: LineItemRow; readonly caller: ServiceCaller; readonly beside: readonly unknown[] }> {
  const { db, request, course } = call;
  const [token, key, said, tools, opening, items, made, ...beside] = await db.perform([
    ...serviceStatements(db, await serviceTokenOf(request), course),
    ...lineItemStatements(db, course.id, { id, limit: 1 }),
    ...more,
  ]);
  const caller = serviceCaller([token, key, said, tools], call, course, scopes);
  const [row] = ownLineItems([opening, items, made], caller);
  if (!row) throw notThere();
  return { row, caller, beside };
}
