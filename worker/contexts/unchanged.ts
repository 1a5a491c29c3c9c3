// Clients send back what they were given: a field that comes back as it was stored changes nothing, and needs no right.

type Scalar = string | number | boolean | null | undefined;

/** Whether a value that was sent, if any was, differs from the stored one; forms write numbers as text and null as a blank. */
export const differs = (given: Scalar, stored: Scalar): boolean => given !== undefined && String(given ?? '') !== String(stored ?? '');
