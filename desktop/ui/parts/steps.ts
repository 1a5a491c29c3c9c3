// Which way an arrow key leads along a row: onwards, or back. Onwards is to the left where the reading goes that way.

export function stepOf(key: string): 1 | -1 | undefined {
  const onwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  return key === onwards ? 1 : key === 'ArrowLeft' || key === 'ArrowRight' ? -1 : undefined;
}
