// Addresses in course texts: kept without their host, told with it, so that a text reads the same wherever it is shown.

const tags = /<[a-z][^>]*>/gi;
const rooted = /\s(src|href|poster|data-api-endpoint)="\/(?!\/)/g;

/** The HTML with addresses below `/` made whole. Null stays null. */
export const withHost = <H extends string | null | undefined>(html: H, origin: string): H =>
  typeof html === 'string' ? (html.replace(tags, (tag) => tag.replace(rooted, ` $1="${origin}/`)) as H) : html;
