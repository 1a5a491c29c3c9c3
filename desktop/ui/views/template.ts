// In which folders the courses lie.

export interface TemplateView {
  readonly template: string;
  /** Where each course lies, and where it would. */
  readonly courses: readonly { readonly from: string; readonly to: string }[];
  /** Why this template cannot be. */
  readonly wrong: string | null;
}
