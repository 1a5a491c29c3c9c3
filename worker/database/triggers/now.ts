// The wire's text of this second, in SQL.

export const now = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
