// More of the recorded library: earlier versions of the person's own files, which only the server has.

import type { Channel, ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type { FileVersionCard } from '@carrel/desktop/contract/file_versions';
import { own, recordedFiles } from './content.ts';

type VersionChannel = Extract<Channel, `file.version${string}`>;
type Channels = { readonly [C in VersionChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

const sha256 = '0'.repeat(64);
const essay: readonly FileVersionCard[] = [
  {
    id: 93,
    name: 'Essay on the codex.md',
    size: 3_902,
    sha256,
    saved_at: '2026-11-11T16:40:00Z',
    replaced_at: '2026-11-12T09:14:00Z',
  },
  { id: 58, name: 'Essay (draft).md', size: 1_204, sha256, saved_at: '2026-11-03T10:05:00Z', replaced_at: '2026-11-11T16:40:00Z' },
];

export function recordedFileVersions(isOffline: () => boolean): Channels {
  let earlier = essay;
  return {
    'file.versions': async ({ id }) => {
      const view = recordedFiles(own).find((one) => one.id === id);
      const isTold = !isOffline();
      return (
        (view && {
          id,
          course_id: own,
          title: view.name,
          course_name: 'My files',
          asked: isTold ? 'told' : 'not reached',
          current: { version: 7, size: view.size, saved_at: view.updated_at },
          is_edited: view.state === 'edited',
          earlier: isTold && id === 761 ? earlier : [],
        }) ??
        null
      );
    },
    'file.version_restore': async () => {
      const now: FileVersionCard = {
        id: 101,
        name: 'Essay on the codex.md',
        size: 4_120,
        sha256,
        saved_at: '2026-11-12T09:14:00Z',
        replaced_at: '2026-11-20T09:40:00Z',
      };
      earlier = [now, ...essay];
      return null;
    },
    'file.version_save': async ({ version }) => ({ file: `/home/noor/Study/My files/Essay on the codex (version ${version.id}).md` }),
  };
}
