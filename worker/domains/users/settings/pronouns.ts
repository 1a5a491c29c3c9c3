// Pronouns that people may choose: the institution's list, or the usual ones.

const usual = ['She/Her', 'He/Him', 'They/Them'];

/** As the list writes them; nothing for what is not in it. */
export function pronounsOf(settings: Readonly<Record<string, unknown>>, given: string): string | undefined {
  const listed = Array.isArray(settings.pronouns) ? settings.pronouns.filter((one): one is string => typeof one === 'string') : usual;
  const wanted = given.trim().toLowerCase();
  return listed.find((one) => one.toLowerCase() === wanted);
}
