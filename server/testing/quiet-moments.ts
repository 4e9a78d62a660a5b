/** Checks after every test, registered by fixtures. Imports nothing, since every test file loads it. */
export const quietMoments = new Set<() => Promise<void>>()
