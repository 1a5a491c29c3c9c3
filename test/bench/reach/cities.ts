// Twelve cities, and the round-trip times between them: public figures where there are any, otherwise an estimate from the distance.

export interface City {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

const city = (name: string, latitude: number, longitude: number): City => ({ name, latitude, longitude });

export const cities: readonly City[] = [
  city('Washington DC', 38.9, -77.0),
  city('Toronto', 43.7, -79.4),
  city('Dallas', 32.8, -96.8),
  city('São Paulo', -23.6, -46.6),
  city('London', 51.5, -0.1),
  city('Frankfurt', 50.1, 8.7),
  city('Madrid', 40.4, -3.7),
  city('Nairobi', -1.3, 36.8),
  city('Mumbai', 19.1, 72.9),
  city('Singapore', 1.4, 103.8),
  city('Tokyo', 35.7, 139.7),
  city('Sydney', -33.9, 151.2),
];

/** Where the database may be: one place in each region of D1's location hints. D1 chooses the place; these are plausible ones. */
export const databaseRegions: Readonly<Record<'enam' | 'wnam' | 'weur' | 'eeur' | 'apac' | 'oc', City>> = {
  enam: city('Washington DC', 38.9, -77.0),
  wnam: city('San Jose', 37.3, -121.9),
  weur: city('Frankfurt', 50.1, 8.7),
  eeur: city('Warsaw', 52.2, 21.0),
  apac: city('Tokyo', 35.7, 139.7),
  oc: city('Sydney', -33.9, 151.2),
};

/** The primary in three of them. */
export const primaries = ['weur', 'enam', 'apac'] as const;

/**
 * Milliseconds, the average of a month. Source: IBM Cloud, "Network latency dashboards", 17 August to 15 September 2024
 * (https://cloud.ibm.com/docs/vpc?topic=vpc-network-latency-dashboard).
 */
const order = ['Dallas', 'Toronto', 'Washington DC', 'Frankfurt', 'London', 'Madrid', 'Sydney', 'Tokyo', 'São Paulo'];
const published: readonly (readonly number[])[] = [
  [0, 34, 31, 123, 113, 117, 185, 143, 145],
  [34, 0, 19, 92, 82, 109, 215, 161, 130],
  [32, 20, 0, 91, 76, 88, 214, 166, 118],
  [123, 93, 91, 0, 13, 29, 250, 228, 197],
  [113, 83, 75, 13, 0, 27, 261, 242, 187],
  [121, 109, 90, 29, 27, 0, 275, 256, 207],
  [186, 214, 216, 250, 261, 275, 0, 115, 327],
  [143, 162, 166, 231, 242, 257, 115, 0, 284],
  [146, 130, 119, 198, 187, 205, 328, 285, 0],
];

const publicFigure = (from: City, to: City): number | undefined => published[order.indexOf(from.name)]?.[order.indexOf(to.name)];

const radius = 6371;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Kilometres of the great circle. */
export function greatCircle(a: City, b: City): number {
  const sine = (x: number) => Math.sin(radians(x) / 2) ** 2;
  const half =
    sine(b.latitude - a.latitude) + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sine(b.longitude - a.longitude);
  return 2 * radius * Math.asin(Math.sqrt(half));
}

/** Milliseconds for each kilometre of distance, from the pairs whose times are published: cables are longer than great circles. */
export const perKilometre: number = (() => {
  const known = cities.filter(({ name }) => order.includes(name));
  const pairs = known.flatMap((from) =>
    known.filter((to) => to !== from).map((to) => [publicFigure(from, to) ?? 0, greatCircle(from, to)]),
  );
  const sum = (at: 0 | 1) => pairs.reduce((total, pair) => total + (pair[at] ?? 0), 0);
  return sum(0) / sum(1);
})();

/** Within one city. */
const nearby = 2;

export interface RoundTrip {
  readonly ms: number;
  readonly isEstimate: boolean;
}

export function roundTrip(from: City, to: City): RoundTrip {
  if (from.name === to.name) return { ms: nearby, isEstimate: false };
  const known = publicFigure(from, to);
  return known === undefined
    ? { ms: Math.max(nearby, greatCircle(from, to) * perKilometre), isEstimate: true }
    : { ms: known, isEstimate: false };
}

/** From a person to the data centre of their city that runs the Worker: access networks differ more than this. */
export const toTheEdge = 15;
