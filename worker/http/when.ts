// A field of an answer that is there under a condition only.

/** The value where the condition holds; else nothing, and the field is left out of the JSON. */
export const when = <T>(holds: boolean, value: T): T | undefined => (holds ? value : undefined);
