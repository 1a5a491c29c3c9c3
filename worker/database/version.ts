// Versions of files and folders: an integer that grows with every change of name, place, bytes or state, and never names two states.

/**
 * Milliseconds since 1970 times 1024, and ten random bits. A counter would give the same number to another state after an older database
 * has been restored; the clock goes on. It stays below 2^53 until the year 2248.
 */
export const freshVersion = "(cast(unixepoch('subsec') * 1000 as integer) * 1024 + (random() & 1023))";
