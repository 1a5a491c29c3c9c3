// The section of a request; its course is the request's course.

import type { sections } from '../domains/sections/table';
import type { RowOf } from '../http/listing';

export type SectionContext = RowOf<typeof sections>;
