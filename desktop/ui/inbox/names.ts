// Who is in a conversation, in a line.

const most = 3;
const both = new Intl.ListFormat('en', { type: 'conjunction' });

export const namesOf = (people: readonly string[]): string =>
  people.length <= most ? both.format(people) : both.format([...people.slice(0, most - 1), `${people.length - most + 1} others`]);
