// The channels for publishing to a course.

import type { ChannelParams, ChannelResult } from '../../contract/channels';
import type { Workspace } from '../accounts/workspace';
import { planPublishing, publish, publishState, switchPublishing } from '../sync/uploads/publish';

export const publishChannels = ({ here, changed }: { readonly here: () => Workspace; readonly changed: () => void }) => ({
  'publish.state': async ({ course_id }: ChannelParams<'publish.state'>): Promise<ChannelResult<'publish.state'>> =>
    publishState(here(), course_id),
  'publish.switch': async ({ course_id, on }: ChannelParams<'publish.switch'>) => {
    switchPublishing(here(), course_id, on);
    changed();
    return null;
  },
  'publish.plan': async ({ course_id }: ChannelParams<'publish.plan'>): Promise<ChannelResult<'publish.plan'>> =>
    planPublishing(here(), course_id),
  'publish.do': async ({ course_id, plan }: ChannelParams<'publish.do'>): Promise<ChannelResult<'publish.do'>> =>
    publish(here(), course_id, plan),
});
