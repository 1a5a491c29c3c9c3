// The channels for verifying and repairing.

import type { ChannelParams, ChannelResult } from '../../contract/channels';
import type { Workspace } from '../accounts/workspace';

export const verifyChannels = ({ here }: { readonly here: () => Workspace }) => ({
  'verify.run': async (): Promise<ChannelResult<'verify.run'>> => {
    const { checked, edited, issues, proven, as_of, is_asked, has_hashes } = await here().verify();
    return {
      checked,
      edited: edited.length,
      issues: issues.map(({ what, where, key }) => ({ what, where, key })),
      courses: proven.map(({ name, files, here: kept, is_identical, as_of: result }) => ({
        name,
        files,
        here: kept,
        is_identical,
        as_of: result,
      })),
      as_of,
      is_asked,
      has_hashes,
    };
  },
  'verify.repair': async ({ keys }: ChannelParams<'verify.repair'>) => {
    await here().repair(keys);
    return null;
  },
});
