// Durable Object of one course's roster: serialises its enrollment changes. The data is in D1 only.

import { type CourseRequest, changeCourse } from '../domains/courses/lifecycle/lifecycle_turn';
import { type ResetRequest, resetContent } from '../domains/courses/lifecycle/reset_turn';
import { type EnrollRequest, enroll, type MoveRequest, moveEnrollment } from '../domains/enrollments/roster/roster';
import { type CrosslistRequest, crosslist } from '../domains/sections/crosslisting';
import { type SisRowsRequest, type SisStatesRequest, settleSisStates, takeSisRows } from '../domains/sis_imports/roster/apply_rows';
import { SerialObject } from './serial_object';

declare module '../platform' {
  interface Platform {
    readonly COURSE_ROSTER: DurableObjectNamespace<CourseRoster>;
  }
}

export class CourseRoster extends SerialObject {
  enroll(request: EnrollRequest) {
    return this.inOrder((db) => enroll(db, request));
  }

  move(errand: MoveRequest) {
    return this.inOrder((db) => moveEnrollment(db, errand));
  }

  takeSisRows(errand: SisRowsRequest) {
    return this.inOrder((db) => takeSisRows(db, errand));
  }

  settleSisStates(errand: SisStatesRequest) {
    return this.inOrder((db) => settleSisStates(db, errand));
  }

  crosslist(errand: CrosslistRequest) {
    return this.inOrder((db) => crosslist(db, errand));
  }

  changeCourse(errand: CourseRequest) {
    return this.inOrder((db) => changeCourse(db, errand));
  }

  resetContent(errand: ResetRequest) {
    return this.inOrder((db) => resetContent(db, errand));
  }
}
