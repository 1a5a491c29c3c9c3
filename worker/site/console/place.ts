// Where one is in the console: `#/ACCOUNT/SCREEN/…?search=…`.

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly parent_account_id: number | null;
  readonly root_account_id: number | null;
}

export interface Place {
  readonly account: Account;
  /** The account that has logins, imports and settings. */
  readonly rootId: number;
  readonly rights: Readonly<Record<string, boolean>>;
  readonly me: { readonly id: number; readonly name: string };
  /** What stands behind the screen's name. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** Calls the screen by the name of what it shows. */
  readonly entitle: (title: string) => void;
  /** Ends when one goes elsewhere. */
  readonly signal: AbortSignal;
}

export const addressOf = (account: number, screen: string, ...rest: (string | number)[]): string =>
  `#/${[account, screen, ...rest].join('/')}`;

/** Says that accounts have been made, renamed or deleted: the list to choose from is read again. */
export const accountsChanged = (): boolean => dispatchEvent(new Event('accounts'));

/** Notes in the address what is looked for, without going anywhere. */
export function note(query: Readonly<Record<string, string>>): void {
  const kept = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  history.replaceState(null, '', `${location.hash.split('?')[0]}${kept.size > 0 ? `?${kept}` : ''}`);
}
