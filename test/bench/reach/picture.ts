// The picture of the reach: for each place of the primary, the times of reads and writes in each city. It is readable on light and dark pages.

export interface CityTimes {
  readonly city: string;
  /** Milliseconds. */
  readonly nearest: number;
  readonly primary: number;
  readonly write: number;
  readonly isEstimate: boolean;
}

export interface Panel {
  readonly title: string;
  readonly readings: readonly CityTimes[];
}

const row = 22;
const top = 64;
const left = 112;
const width = 250;
const gap = 44;
const style = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 13px; }
  .small { font-size: 11px; fill: #57606a; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  .line { stroke: #afb8c1; stroke-width: 2; }
  .nearest { fill: #0969da; } .primary { fill: #8250df; } .write { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9198a1; } .grid { stroke: #30363d; } .line { stroke: #484f58; }
    .nearest { fill: #58a6ff; } .primary { fill: #bc8cff; } .write { fill: #f0883e; }
  }`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x: number, y: number, content: string, kind = '', anchor = 'start') =>
  `<text x="${x}" y="${y}"${kind && ` class="${kind}"`} text-anchor="${anchor}">${escaped(content)}</text>`;

/** Shapes differ as well as colours. */
const marks = {
  nearest: (x: number, y: number) => `<circle class="nearest" cx="${x}" cy="${y}" r="5"/>`,
  primary: (x: number, y: number) =>
    `<rect class="primary" x="${x - 4}" y="${y - 4}" width="8" height="8" transform="rotate(45 ${x} ${y})"/>`,
  write: (x: number, y: number) => `<rect class="write" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9"/>`,
};

function panelOf({ title, readings }: Panel, at: number, most: number): string {
  const x = (ms: number) => Math.round((at + (ms / most) * width) * 10) / 10;
  const bottom = top + readings.length * row;
  const steps = Array.from({ length: Math.floor(most / 250) + 1 }, (_, nth) => nth * 250);
  const grid = steps.map(
    (ms) =>
      `<line class="grid" x1="${x(ms)}" y1="${top - 8}" x2="${x(ms)}" y2="${bottom}"/>${text(x(ms), bottom + 16, String(ms), 'small', 'middle')}`,
  );
  const rows = readings.map(({ nearest, primary, write }, nth) => {
    const y = top + nth * row + 8;
    const [from, to] = [Math.min(nearest, primary, write), Math.max(nearest, primary, write)];
    const line = `<line class="line" x1="${x(from)}" y1="${y}" x2="${x(to)}" y2="${y}"/>`;
    return line + marks.write(x(write), y) + marks.primary(x(primary), y) + marks.nearest(x(nearest), y);
  });
  return [text(at, top - 18, title, 'title'), ...grid, ...rows].join('\n');
}

export function reachPicture(panels: readonly Panel[]): string {
  const all = panels.flatMap(({ readings }) => readings);
  const most = Math.ceil(Math.max(...all.flatMap(({ nearest, primary, write }) => [nearest, primary, write])) / 250) * 250;
  const readings = panels[0]?.readings ?? [];
  const whole = left + panels.length * width + (panels.length - 1) * gap + 24;
  const height = top + readings.length * row + 46;
  const names = readings.map(({ city, isEstimate }, nth) =>
    text(left - 14, top + nth * row + 12, isEstimate ? `${city} *` : city, '', 'end'),
  );
  const legend = [
    marks.nearest(left + 4, 16),
    text(left + 14, 20, 'read, nearest replica'),
    marks.primary(left + 164, 16),
    text(left + 174, 20, 'read, no replicas'),
    marks.write(left + 304, 16),
    text(left + 314, 20, 'write'),
  ];
  const foot = text(
    left,
    height - 8,
    'Milliseconds until the response, the mean of 10 reads and of 5 writes.  * round trips estimated from the distance',
    'small',
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${height}" viewBox="0 0 ${whole} ${height}" role="img">
<title>Time of reads and writes in twelve cities</title>
<style>${style}
</style>
${[...legend, ...names, ...panels.map((panel, nth) => panelOf(panel, left + nth * (width + gap), most)), foot].join('\n')}
</svg>
`;
}
