// The channels for grading in folders: the switch, the plan, and sending it.

import type { Channel } from '../../contract/channels';
import { gradingFoldersState, planFolderGrades, sendFolderGrades, switchGradingFolders } from '../sync/graded_folders/send_folders';
import type { ChannelGroup, ChannelGroupContext } from './group';

export const gradingFolderChannels = ({ here, edited }: ChannelGroupContext): ChannelGroup<Extract<Channel, `folders.${string}`>> => ({
  'folders.state': async ({ course_id }) => gradingFoldersState(here(), course_id),
  'folders.switch': async ({ course_id, on }) => {
    switchGradingFolders(here(), course_id, on);
    edited();
    return null;
  },
  // The host shows it.
  'folders.reveal': async () => null,
  'folders.plan': async ({ course_id }) => planFolderGrades(here(), course_id),
  'folders.send': async ({ course_id, plan, choices }) => sendFolderGrades(here(), course_id, { plan, choices }),
});
