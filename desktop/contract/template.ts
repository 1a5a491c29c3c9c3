// The template for course folders.

export interface TemplateView {
  readonly template: string;
  /** The current folder of each course, and its folder with the template. */
  readonly courses: readonly { readonly from: string; readonly to: string }[];
  /** Why this template is invalid. */
  readonly wrong: string | null;
}
