import { pageHandlers } from './handlers/page-handlers.ts'
import { endAttemptOfEarlierBrowser, endAttemptOfTab, switchTakeDowns, takeDownNext } from './take-downs/attempt.ts'

/** The work in tabs of marketplaces. The web app has none, so it does not load this. */
export const tabWork = { pageHandlers, takeDownNext, switchTakeDowns, endAttemptOfTab, endAttemptOfEarlierBrowser }
export type TabWork = typeof tabWork
