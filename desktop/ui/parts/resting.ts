// A busy button uses `aria-disabled`: a disabled one would lose the focus and be skipped by screen readers.

export const resting = (isResting: boolean, act: () => void) => ({
  'aria-disabled': isResting || undefined,
  onClick: isResting ? undefined : act,
});
