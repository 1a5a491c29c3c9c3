// Durable Object of one course's roster: serialises its enrollment changes. The data is in D1 only.

import type { CourseRequest } from '../domains/courses/lifecycle/lifecycle_turn';
import type { ResetRequest } from '../domains/courses/lifecycle/reset_turn';
import type { EnrollRequest, MoveRequest } from '../domains/enrollments/roster/roster';
import type { CrosslistRequest } from '../domains/sections/crosslisting';
import type { SisRowsRequest, SisStatesRequest } from '../domains/sis_imports/roster/apply_rows';
import { SerialObject } from './serial_object';

declare module '../platform' {
  interface Platform {
    readonly COURSE_ROSTER: DurableObjectNamespace<CourseRoster>;
  }
}

export class CourseRoster extends SerialObject {
  enroll(request: EnrollRequest) {
    return this.inOrder(async (db) => (await import('../domains/enrollments/roster/roster')).enroll(db, request));
  }

  move(errand: MoveRequest) {
    return this.inOrder(async (db) => (await import('../domains/enrollments/roster/roster')).moveEnrollment(db, errand));
  }

  takeSisRows(errand: SisRowsRequest) {
    return this.inOrder(async (db) => (await import('../domains/sis_imports/roster/apply_rows')).takeSisRows(db, errand));
  }

  settleSisStates(errand: SisStatesRequest) {
    return this.inOrder(async (db) => (await import('../domains/sis_imports/roster/apply_rows')).settleSisStates(db, errand));
  }

  crosslist(errand: CrosslistRequest) {
    return this.inOrder(async (db) => (await import('../domains/sections/crosslisting')).crosslist(db, errand));
  }

  changeCourse(errand: CourseRequest) {
    return this.inOrder(async (db) => (await import('../domains/courses/lifecycle/lifecycle_turn')).changeCourse(db, errand));
  }

  resetContent(errand: ResetRequest) {
    return this.inOrder(async (db) => (await import('../domains/courses/lifecycle/reset_turn')).resetContent(db, errand));
  }
}
