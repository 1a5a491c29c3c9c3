// A labelled progress bar; indeterminate without a share.

export const ProgressBar = ({ share, label, quiet = false }: { share: number | null; label: string; quiet?: boolean }) => (
  <progress
    className={quiet ? 'meter quiet-meter' : 'meter'}
    aria-label={label}
    max={1}
    {...(share === null ? {} : { value: Math.min(1, Math.max(0, share)) })}
  />
);
