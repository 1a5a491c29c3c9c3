// The last positions in the few hundred most recent files; stored in this browser.

const most = 300;
const place = 'left off';

const all = (): Record<string, string> => {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
};

export const storedView = (name: string): string | undefined => all()[name];

export function storeView(name: string, value: string) {
  const before = all();
  if (before[name] === value) return;
  // Moves the latest to the end and drops the oldest.
  const { [name]: _, ...others } = before;
  localStorage.setItem(place, JSON.stringify(Object.fromEntries([...Object.entries(others), [name, value]].slice(-most))));
}
