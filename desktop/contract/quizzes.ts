// View models of quizzes, for students.

import type { MessageFile } from './conversations';
import type { Prose } from './reading';

export type QuizKind = 'practice' | 'graded' | 'survey' | 'graded survey';

/** Why no attempt can be started here. */
export type QuizHold = 'gone' | 'not yet' | 'closed' | 'locked' | 'attempts used' | 'one at a time' | 'lockdown browser';

export interface QuizFacts {
  readonly id: number;
  readonly course_id: number;
  readonly title: string;
  readonly kind: QuizKind;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly points_possible: number | null;
  readonly question_count: number;
  /** Minutes; null: unlimited. */
  readonly time_limit: number | null;
  readonly attempts_made: number;
  /** Null: unlimited. */
  readonly attempts_allowed: number | null;
  /** That counts; null before there is one, or while it is hidden. */
  readonly score: number | null;
  /** `elsewhere`: an attempt runs that was started on another device, or whose answers are not here. */
  readonly state: 'not started' | 'running' | 'elsewhere' | 'waiting' | 'review' | 'done';
  readonly hold: QuizHold | null;
}

/** How far an attempt at a quiz that shows one question at a time has come. */
export interface QuizSteps {
  /** The place of the last question that was shown, from 1. */
  readonly reached: number;
  readonly count: number;
  /** Otherwise a question is shown and answered once. */
  readonly can_go_back: boolean;
}

/** An attempt that was started here. */
export interface RunningAttempt {
  readonly attempt: number;
  /** By the clock of this computer; null: no end. */
  readonly ends_at: string | null;
  /** When the time is over the attempt is handed in. */
  readonly ends_by_itself: boolean;
  readonly answered: number;
  readonly count: number;
  /** Null: all questions are shown at once. */
  readonly steps: QuizSteps | null;
  /** Answers that the server does not have yet. */
  readonly unsent: number;
  /** The user has handed it in, and the server does not know it yet. */
  readonly turned_in_at: string | null;
  /** The server takes no more answers, although some were not sent. */
  readonly is_over: boolean;
  /** Why the last attempt to send failed: the reason of the server, or `offline`. */
  readonly trouble: string | null;
  readonly needs_code: boolean;
}

export interface QuizView extends QuizFacts {
  readonly course_name: string;
  readonly description: Prose;
  readonly needs_code: boolean;
  /** Null: all questions at once; otherwise one at a time, with or without a way back. */
  readonly one_at_a_time: 'with a way back' | 'without a way back' | null;
  /** Once it is started, it can be taken without a network, and nothing ends it. */
  readonly works_offline: boolean;
  readonly running: RunningAttempt | null;
  /** Its page on the server, where there is one. */
  readonly on_server: string | null;
}

/** By blank, or by the id of the left side. */
export type AnswerParts = Readonly<Record<string, string | number | null>>;

/** A choice is an id, several are ids, a text or number is a text; blanks, menus and pairs are parts. */
export type QuizAnswer = null | string | number | readonly number[] | AnswerParts | { readonly files: readonly MessageFile[] };

export type QuestionShape = 'choice' | 'choices' | 'line' | 'text' | 'number' | 'blanks' | 'menus' | 'pairs' | 'files' | 'none';

export interface QuizQuestionView {
  readonly id: number;
  /** Null: a text without a question. */
  readonly number: number | null;
  readonly shape: QuestionShape;
  readonly text: Prose;
  /** Of `choice` and `choices`; the left sides of `pairs`. */
  readonly choices: readonly { readonly id: number; readonly text: Prose }[];
  /** Of `blanks` and `menus`, in the order of the text. */
  readonly blanks: readonly { readonly name: string; readonly choices: readonly { readonly id: number; readonly text: string }[] }[];
  /** The right sides of `pairs`. */
  readonly matches: readonly { readonly id: number; readonly text: string }[];
  readonly answer: QuizAnswer;
  readonly is_answered: boolean;
  readonly is_flagged: boolean;
  /** The server has this answer. */
  readonly is_sent: boolean;
  /** Why the server does not accept it. */
  readonly refused: string | null;
}

export interface AttemptView extends RunningAttempt {
  readonly id: number;
  readonly course_id: number;
  readonly title: string;
  readonly questions: readonly QuizQuestionView[];
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly attempt: number;
  readonly finished_at: string | null;
  readonly score: number | null;
  /** The teacher still has to score some of it. */
  readonly is_pending: boolean;
}

/** A question with its result. Nothing of it is stored on this computer. */
export interface ResultQuestion extends Omit<QuizQuestionView, 'is_answered' | 'is_flagged' | 'is_sent' | 'refused'> {
  readonly result: 'right' | 'partly right' | 'wrong' | 'not scored yet' | 'not scored';
  readonly points: number | null;
  readonly comment: Prose;
  /** The ids of the right choices, where they are shown. */
  readonly right: readonly number[];
}

export interface QuizResults {
  readonly attempts: readonly EndedAttempt[];
  /** Of the attempt that was asked for, or the newest. */
  readonly attempt: number | null;
  /** Null: the teacher does not show them now. */
  readonly questions: readonly ResultQuestion[] | null;
}
