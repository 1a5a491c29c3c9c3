// The colour of a course: one of eight, chosen by id, so that a course has the same colour everywhere.

const cloths = 8;
export const cloth = (course_id: number | null) =>
  course_id === null || course_id === 0 ? 'none' : String((Math.abs(course_id) * 5) % cloths);
