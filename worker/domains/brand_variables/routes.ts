// How the institution looks: the one endpoint.

import { get } from '../../http/endpoint';
import { answer } from '../../http/reply';
import { brandVariables } from './brand';

export const brandVariableRoutes = [
  get('/brand_variables', { can: 'anyone', returns: { json: null }, summary: 'Get how the institution looks' }, ({ institution }) =>
    answer(brandVariables((institution.root.settings.brand_variables ?? {}) as Record<string, unknown>)),
  ),
];
