// How often a student may submit. Pure (reference 03 §4.3).

const counted = new Set(['online_upload', 'online_url', 'online_text_entry', 'student_annotation']);

/** Whether submissions of this type count as attempts; others may be repeated without limit. */
export const hasAttempts = (submission_type: string): boolean => counted.has(submission_type);

interface Limited {
  /** -1 means unlimited. */
  readonly allowed_attempts: number;
}

interface Used {
  readonly attempt: number | null;
  readonly extra_attempts: number | null;
}

export const mayTryAgain = ({ allowed_attempts }: Limited, used: Used | undefined, submission_type: string): boolean =>
  allowed_attempts < 0 || !hasAttempts(submission_type) || (used?.attempt ?? 0) < allowed_attempts + (used?.extra_attempts ?? 0);
