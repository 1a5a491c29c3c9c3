// Token scopes, one per endpoint.

import { Scope } from '@carrel/shared/resources/scope';
import { choice } from '@carrel/shared/wire/fields';
import { get } from '../../http/endpoint';
import { answer, rawResponse } from '../../http/reply';
import { scopesOf } from '../../http/scopes';

export const about = { title: 'Scopes', description: 'Scopes that tokens of applications can be limited to.' };

export const scopeRoutes = [
  get(
    '/accounts/:account_id/scopes',
    {
      can: ['manage_developer_keys', 'manage_role_overrides'],
      params: { group_by: choice('resource_name', 'resource') },
      returns: { json: Scope },
      summary: 'List scopes',
    },
    async ({ operations, params: { group_by } }) => {
      const scopes = scopesOf(await operations());
      if (!group_by) return answer(scopes);
      const grouped = JSON.stringify(Object.groupBy(scopes, (scope) => scope[group_by]));
      return rawResponse(new Response(grouped, { headers: { 'Content-Type': 'application/json; charset=utf-8' } }));
    },
  ),
];
