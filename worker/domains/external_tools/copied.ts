// How external tools are copied to another course: with their key and secret. A tool of LTI 1.3 is another deployment there.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, ofCourseContext, randomHex } from '../../rules/copied_kind';
import { external_tools } from './table';

export const externalToolCopied: CopiedKindFacts = {
  kind: 'external_tool',
  table: external_tools,
  asset: 'context_external_tool',
  title: 'name',
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${sql.raw(`${a}.workflow_state = 'active'`)}`,
  // A tool that the target has set up since keeps its key.
  kept: ['deployment_id', 'consumer_key', 'shared_secret'],
  differing: ({ to }) => ({
    context_id: shared('course', to),
    // The secret of a tool of LTI 1.1 is sealed for this id.
    deployment_id: sql`iif(o.version = '1.3', ${randomHex}, o.deployment_id)`,
  }),
};
