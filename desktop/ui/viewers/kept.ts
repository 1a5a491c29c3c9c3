// Where in a file one has been: the last few hundred of them, in this browser.

const most = 300;
const place = 'left off';

const all = (): Record<string, string> => {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
};

export const kept = (name: string): string | undefined => all()[name];

export function keep(name: string, value: string) {
  const before = all();
  if (before[name] === value) return;
  // The one that was touched last stands last, and the first go.
  const { [name]: _, ...others } = before;
  localStorage.setItem(place, JSON.stringify(Object.fromEntries([...Object.entries(others), [name, value]].slice(-most))));
}
