import { pageHandlers } from './handlers/page-handlers.ts'
import { endAttemptOfEarlierBrowser, endAttemptOfTab, switchTakeDowns, takeDownNext } from './take-downs/attempt.ts'

/** What the worker does in tabs of marketplaces. The web app has none, so it does not load this. */
export const tabWork = { pageHandlers, takeDownNext, switchTakeDowns, endAttemptOfTab, endAttemptOfEarlierBrowser }
export type TabWork = typeof tabWork
