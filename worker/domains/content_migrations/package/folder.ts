// Where the packages of migrations are stored.

import type { FolderLevel } from '../../files/folders/paths';

const rootAccount = 1;
/** Packages are in hidden folders of the root account, one per migration. */
export const packageFolder = (uuid: string) => ({
  holder: { context_type: 'Account', context_id: rootAccount } as const,
  levels: [
    { name: 'Content migrations', hidden: true, unique_type: 'content migrations' },
    { name: uuid, hidden: true },
  ] as FolderLevel[],
});
