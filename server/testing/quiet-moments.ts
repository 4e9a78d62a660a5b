/** What is looked at after every test, by whoever opened something that must hold then. Imports nothing: every test file has it. */
export const quietMoments = new Set<() => Promise<void>>()
