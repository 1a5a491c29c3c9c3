// The label of an account's institution; adds the server when two accounts would have the same label.

import type { DeskAccount } from '../../contract/state.ts';

export function whereOf(account: DeskAccount, all: readonly DeskAccount[]): string {
  const { id, name, institution, url } = account;
  const isAlone = !all.some((one) => one.id !== id && one.name === name && one.institution === institution);
  return isAlone ? institution : `${institution}, ${new URL(url).host}`;
}
