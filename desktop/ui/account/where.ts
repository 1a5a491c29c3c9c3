// Where an account is, so that it can be told from the others: by its institution, and by its server where that says not enough.

import type { Account } from '../views/state.ts';

export function whereOf(account: Account, all: readonly Account[]): string {
  const { id, name, institution, url } = account;
  const isAlone = !all.some((one) => one.id !== id && one.name === name && one.institution === institution);
  return isAlone ? institution : `${institution}, ${new URL(url).host}`;
}
