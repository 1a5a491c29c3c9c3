// Which text an author writes.

export type AuthoredKind = 'page' | 'assignment';

/** An item, or with a negative id one that only exists here. */
export interface AuthoredPlace {
  readonly kind: AuthoredKind;
  readonly course_id: number;
  readonly id: number;
}
