// The current time in the wire format, in SQL.

export const now = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
