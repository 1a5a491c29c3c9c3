// The current time in the wire format, in SQL.

export const nowSql = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
