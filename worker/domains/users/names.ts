// Default sortable names: "Last, First".

/** The last word is taken as the last name. */
export const sortableName = (name: string): string => {
  const words = name.trim().split(/\s+/);
  return words.length > 1 ? `${words.at(-1)}, ${words.slice(0, -1).join(' ')}` : name.trim();
};

/** BCP 47, as used in practice. */
export const isLocale = (given: string): boolean => /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(given);
