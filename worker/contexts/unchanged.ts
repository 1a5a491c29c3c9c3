// Clients send back what they received: a field that equals the stored value changes nothing, and needs no permission.

type Scalar = string | number | boolean | null | undefined;

/** Whether a sent value differs from the stored one; forms send numbers as text and null as blank. */
export const differs = (given: Scalar, stored: Scalar): boolean => given !== undefined && String(given ?? '') !== String(stored ?? '');
