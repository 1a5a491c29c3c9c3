// A button whose work is under way: it rests, and keeps the focus. One that is disabled would lose it, and be skipped by whoever listens.

export const resting = (isResting: boolean, act: () => void) => ({
  'aria-disabled': isResting || undefined,
  onClick: isResting ? undefined : act,
});
