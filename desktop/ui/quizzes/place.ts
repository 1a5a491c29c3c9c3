// The quiz that a screen shows.

export interface QuizPlace {
  readonly course_id: number;
  readonly id: number;
}
