// The current location in the console: `#/ACCOUNT/SCREEN/…?search=…`.

export interface ConsoleAccount {
  readonly id: number;
  readonly name: string;
  readonly parent_account_id: number | null;
  readonly root_account_id: number | null;
}

export interface ScreenContext {
  readonly account: ConsoleAccount;
  /** The account that has logins, imports and settings. */
  readonly rootId: number;
  readonly rights: Readonly<Record<string, boolean>>;
  readonly me: { readonly id: number; readonly name: string };
  /** Path segments after the screen's name. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** Sets the title of the screen. */
  readonly entitle: (title: string) => void;
  /** Aborted on navigation. */
  readonly signal: AbortSignal;
}

export const screenHref = (account: number, screen: string, ...rest: (string | number)[]): string =>
  `#/${[account, screen, ...rest].join('/')}`;

/** Signals that accounts were created, renamed or deleted: the account menu reloads. */
export const accountsChanged = (): boolean => dispatchEvent(new Event('accounts'));

/** Stores the search in the URL without navigating. */
export function rememberQuery(query: Readonly<Record<string, string>>): void {
  const kept = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  history.replaceState(null, '', `${location.hash.split('?')[0]}${kept.size > 0 ? `?${kept}` : ''}`);
}
