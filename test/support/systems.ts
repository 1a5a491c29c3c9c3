// Tests that need something that only some systems have skip on the others, and the report names the reason.

interface Skippable {
  readonly skip: (condition: boolean, note?: string) => void;
}

export const isWindows = process.platform === 'win32';

/** For `beforeEach`, or called with a test's context. */
export const onlyLinux =
  (reason: string) =>
  ({ skip }: Skippable): void =>
    skip(process.platform !== 'linux', `only on Linux: ${reason}`);

export const notWindows =
  (reason: string) =>
  ({ skip }: Skippable): void =>
    skip(isWindows, `not on Windows: ${reason}`);

/** Reasons that several files have. */
export const signals = notWindows('it has no signals; a program is ended without being asked');
export const links = notWindows('symbolic links need a right that users do not have');
export const colons = notWindows('a file name cannot contain a colon');
