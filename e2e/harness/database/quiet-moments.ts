/** Checks that run after every test, registered by fixtures. Imports nothing, because every test file loads it. */
export const quietMoments = new Set<() => Promise<void>>()
