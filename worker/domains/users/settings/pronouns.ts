// The pronouns that users may choose: the institution's list, or the default one.

const usual = ['She/Her', 'He/Him', 'They/Them'];

/** In the list's spelling; undefined when not in the list. */
export function pronounsOf(settings: Readonly<Record<string, unknown>>, given: string): string | undefined {
  const listed = Array.isArray(settings.pronouns) ? settings.pronouns.filter((one): one is string => typeof one === 'string') : usual;
  const wanted = given.trim().toLowerCase();
  return listed.find((one) => one.toLowerCase() === wanted);
}
