// The channels for publishing to a course.

import type { Answer, Given } from '../../contract/channels';
import type { Study } from '../accounts/study';
import { planPublishing, publish, publishState, switchPublishing } from '../sync/uploads/publish';

export const publishChannels = ({ here, changed }: { readonly here: () => Study; readonly changed: () => void }) => ({
  'publish.state': async ({ course_id }: Given<'publish.state'>): Promise<Answer<'publish.state'>> => publishState(here(), course_id),
  'publish.switch': async ({ course_id, on }: Given<'publish.switch'>) => {
    switchPublishing(here(), course_id, on);
    changed();
    return null;
  },
  'publish.plan': async ({ course_id }: Given<'publish.plan'>): Promise<Answer<'publish.plan'>> => planPublishing(here(), course_id),
  'publish.do': async ({ course_id, plan }: Given<'publish.do'>): Promise<Answer<'publish.do'>> => publish(here(), course_id, plan),
});
