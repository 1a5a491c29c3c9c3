// The table of contents of the API: one line per domain.

import { assignmentGroupRoutes } from './domains/assignment_groups/routes';
import { courseRoutes } from './domains/courses/routes';
import { syncRoutes } from './domains/sync/routes';
import type { Endpoint } from './http/endpoint';

export const endpoints: readonly Endpoint[] = [...syncRoutes, ...assignmentGroupRoutes, ...courseRoutes];
