// Versions of files and folders: an increasing integer that never identifies two states.

/**
 * Milliseconds since 1970 times 1024, plus ten random bits. A counter could repeat a number after an older database is restored; the clock cannot.
 * Stays below 2^53 until the year 2248.
 */
export const freshVersion = "(cast(unixepoch('subsec') * 1000 as integer) * 1024 + (random() & 1023))";
