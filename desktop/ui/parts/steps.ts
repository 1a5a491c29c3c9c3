// Whether an arrow key moves forwards or back along a row; mirrored in right-to-left languages.

export function stepOf(key: string): 1 | -1 | undefined {
  const onwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  return key === onwards ? 1 : key === 'ArrowLeft' || key === 'ArrowRight' ? -1 : undefined;
}
