// How each kind of the feed is told: the serializer and the rows that REST would show this caller, so that the two never disagree.

import type { Kind } from '@carrel/shared/sync/protocol';
import { and } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import type { AnySerializer } from '../../http/endpoint';
import { type Listing, rows } from '../../http/listing';
import { type Plan, planListing } from '../../http/serializer';
import { assignmentGroup } from '../assignment_groups/json';
import { present } from '../assignment_groups/policy';
import { assignment_groups } from '../assignment_groups/table';

interface Telling {
  readonly of: AnySerializer;
  /** Values of `include[]` that the feed asks for. */
  readonly include?: readonly string[];
  /** The rows there are for the caller in the course, or of the caller's own. Nothing where the kind has no place. */
  listing(call: Call, course: CourseContext | undefined): Listing | undefined;
}

const tellings: Partial<Record<Kind, Telling>> = {
  assignment_group: {
    of: assignmentGroup,
    listing: (_, course) => course && rows(assignment_groups, { where: present(course) }),
  },
};

/** Plans to tell those of the items that the caller may see; the others are not told. */
export function planOf(kind: Kind, call: Call, ids: readonly number[]): Plan<{ id: number }> | undefined {
  const telling = tellings[kind];
  const listing = telling?.listing(call, call.course);
  if (!telling || !listing) return undefined;
  const chosen = { ...listing, where: and(listing.where, among(listing.table.id, ids)), order: undefined };
  return planListing(telling.of, chosen, { ...call, include: new Set(telling.include) }) as Plan<{ id: number }>;
}
