// The caller: user, token, and account roles.

import type { developer_keys } from '../domains/developer_keys/table';
import type { sessions } from '../domains/login/table';
import type { roles } from '../domains/roles/table';
import type { tokens } from '../domains/tokens/table';
import type { users } from '../domains/users/table';
import type { RowOf } from '../http/listing';

export type UserRow = RowOf<typeof users>;
export type RoleRow = RowOf<typeof roles>;

export interface AdminLink {
  readonly account_id: number;
  readonly role: Pick<RoleRow, 'id' | 'base_role_type' | 'workflow_state'>;
}

export interface Viewer {
  /** 0 for anonymous. */
  readonly id: number;
  readonly isKnown: boolean;
  readonly user: UserRow;
  readonly token: RowOf<typeof tokens> | undefined;
  /** The application that the token was issued to. */
  readonly developerKey: RowOf<typeof developer_keys> | undefined;
  /** The web session, for requests with a cookie. */
  readonly session: RowOf<typeof sessions> | undefined;
  /** The real user while masquerading, else the same user. */
  readonly real_user_id: number;
  readonly adminLinks: readonly AdminLink[];
}

/** The anonymous caller of public endpoints. */
export const anonymousViewer: Viewer = {
  id: 0,
  isKnown: false,
  user: { id: 0, name: '', sortable_name: '', short_name: '', settings: {}, workflow_state: 'registered' } as UserRow,
  token: undefined,
  developerKey: undefined,
  session: undefined,
  real_user_id: 0,
  adminLinks: [],
};
