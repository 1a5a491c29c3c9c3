// The label of an account's institution; adds the server when two accounts would have the same label.

import type { Account } from '../../contract/state.ts';

export function whereOf(account: Account, all: readonly Account[]): string {
  const { id, name, institution, url } = account;
  const isAlone = !all.some((one) => one.id !== id && one.name === name && one.institution === institution);
  return isAlone ? institution : `${institution}, ${new URL(url).host}`;
}
