import { announce } from './announce.ts'
import { pageHandlers } from './handlers/page-handlers.ts'
import { agreeInTab } from './take-downs/agree-in-tab.ts'
import { endAttemptOfEarlierBrowser, endAttemptOfTab, switchTakeDowns, takeDownNext } from './take-downs/attempt.ts'
import { loadFormFiller } from './tasks/load-form-filler.ts'

/** The work in tabs of marketplaces and of the web app. The web app has none, so it does not load this. */
export const tabWork = {
  announce,
  agreeInTab,
  loadFormFiller,
  pageHandlers,
  takeDownNext,
  switchTakeDowns,
  endAttemptOfTab,
  endAttemptOfEarlierBrowser,
}
export type TabWork = typeof tabWork
