// Durable Object of one course's roster: serialises its enrollment changes. The data is in D1 only.

import { type CourseErrand, changeCourse } from '../domains/courses/lifecycle_turn';
import { type ResetErrand, resetContent } from '../domains/courses/reset_turn';
import { type EnrollErrand, enroll, type MoveErrand, move } from '../domains/enrollments/roster/roster';
import { type CrosslistErrand, crosslist } from '../domains/sections/crosslisting';
import { type SisRowsErrand, type SisStatesErrand, settleSisStates, takeSisRows } from '../domains/sis_imports/roster/passage';
import { Turnstile } from './turnstile';

declare module '../platform' {
  interface Platform {
    readonly COURSE_ROSTER: DurableObjectNamespace<CourseRoster>;
  }
}

export class CourseRoster extends Turnstile {
  enroll(errand: EnrollErrand) {
    return this.inOrder((db) => enroll(db, errand));
  }

  move(errand: MoveErrand) {
    return this.inOrder((db) => move(db, errand));
  }

  takeSisRows(errand: SisRowsErrand) {
    return this.inOrder((db) => takeSisRows(db, errand));
  }

  settleSisStates(errand: SisStatesErrand) {
    return this.inOrder((db) => settleSisStates(db, errand));
  }

  crosslist(errand: CrosslistErrand) {
    return this.inOrder((db) => crosslist(db, errand));
  }

  changeCourse(errand: CourseErrand) {
    return this.inOrder((db) => changeCourse(db, errand));
  }

  resetContent(errand: ResetErrand) {
    return this.inOrder((db) => resetContent(db, errand));
  }
}
