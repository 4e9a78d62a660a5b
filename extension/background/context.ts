import { Settings } from '#extension/messaging/settings.ts'
import type { ScrapePlatform } from '#extension/platforms/port.ts'
import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { InventoryCache } from '#extension/storage/inventory-cache/database.ts'
import type { Client } from '#shared/client/declared-client.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { ExtensionSlug, PlatformSlug } from '#shared/platforms.ts'
import type { Fetch, OnPart } from './session/api.ts'
import { accountOf, readSession, type Session } from './session/session.ts'
import type { Store } from './session/store.ts'
import type { TaskNotification } from './tasks/decide-notification.ts'
import type { PushDeps } from './upload/push.ts'
import { KnownError } from './wire-error.ts'

/** External dependencies of the handlers. */
export interface WorkerContext {
  /** Opens the database on first use, and again after the browser closed it. */
  importQueue: () => Promise<ImportQueue>
  /** Opens the inventory cache in the same way. */
  inventory: () => Promise<InventoryCache>
  store: Store
  fetch: Fetch
  /** `timeoutMs`: of a whole response, where the usual one is too short. `onPart` gets the response as it arrives. */
  clientOf: (session: Session, timeoutMs?: number, onPart?: OnPart) => Client
  now: () => number
  random: () => number
  sleep: (ms: number) => Promise<void>
  locks: PushDeps['locks']
  keyName: string
  /** Version of the extension, such as 0.1.0. */
  version: string
  /** Returns the reader of a platform's pages, or null if there is none here. */
  readerOf: (slug: ExtensionSlug) => ScrapePlatform | null
  /** Schedules an upload and returns at once. */
  push: (eager?: boolean) => void
  /** Starts or continues the periodic check for tasks (background/tasks/watch.ts). */
  checkEveryMinute: () => void
  /** Aborts requests of the old session and tells open pages about the change. */
  sessionChanged: () => void
  /** Removes alarms, notifications and the badge. */
  clearTraces: () => Promise<void>
  /** Shows a number on the toolbar button, or a red mark while something is urgent. Null removes it. */
  badge: (count: number | null, isUrgent?: boolean) => Promise<void>
  /**
   * Opens a tab, in front by default, and returns its id, or null if the browser does not give one. `task`: the one whose
   * form it shows.
   */
  openTab: (url: string, active?: boolean, task?: string) => Promise<number | null>
  /** Shows an address in a tab that still shows `page`, and in front. Returns false where it shows another by now, or is closed. */
  reuseTab: (tab: number, page: string, url: string) => Promise<boolean>
  /** Closes a tab, if it is still open. */
  closeTab: (tab: number) => Promise<void>
  /**
   * Returns the address of the page that the seller is looking at, empty if it is none of ours to know, or null if no
   * window is open.
   */
  frontPage: () => Promise<string | null>
  /** Returns true if the tab is still open. Tabs of an earlier browser session are not. */
  isTabOpen: (tab: number) => Promise<boolean>
  /** Has a tab's page agree for a moment to questions in the browser's own dialogs about ending a listing. */
  agreeInTab: (tab: number) => Promise<void>
  /** Loads the form filler into a tab's page. */
  loadFormFiller: (tab: number) => Promise<void>
  /** Ends the next listing by itself, if one is due (background/take-downs/attempt.ts). */
  takeDownNext: () => Promise<void>
  /** Switches that on or off for a marketplace. */
  switchTakeDowns: (platform: ExtensionSlug, on: boolean) => Promise<void>
  notify: (notification: TaskNotification) => Promise<void>
  /** Tells open pages that the overview has changed. */
  publishOverview: () => void
  /** Tells open pages how many rows of a file are done. */
  publishFileRows: (done: number) => void
}

/** Returns the seller's settings, with defaults. */
export async function readSettings(store: Store): Promise<Settings> {
  return Settings.parse((await store.get('settings')) ?? {})
}

/** Returns the delay between two requests to a platform, in ms. */
export async function readPaceMs(store: Store): Promise<number> {
  return (await readSettings(store)).pace_ms
}

/** Returns the interval between scheduled checks in ms, or null if they are off. */
export async function readCheckEveryMs(store: Store): Promise<number | null> {
  const { check_minutes } = await readSettings(store)
  return check_minutes === 0 ? null : check_minutes * 60_000
}

/** Returns a client for the current seller. Throws `no_session` if nobody is signed in. */
export async function openCall(context: WorkerContext, timeoutMs?: number, onPart?: OnPart): Promise<Client> {
  return context.clientOf(await activeSession(context), timeoutMs, onPart)
}

/**
 * Returns the current session. Throws `no_session` if nobody is signed in, `other_account` if somebody else is than
 * `account`.
 */
export async function activeSession(context: WorkerContext, account?: string): Promise<Session> {
  const session = await readSession(context.store)
  if (session?.status !== 'active') throw new KnownError('no_session', 'Sign in first.')
  if (account !== undefined && account !== (await accountOf(session))) {
    throw new KnownError('other_account', 'Another account is signed in.')
  }
  return session
}

/** Returns the platform of an import job in the last overview, or null. */
export async function platformOfJob(context: WorkerContext, job: string): Promise<PlatformSlug | null> {
  const snapshot = (await context.store.get('snapshot')) as { jobs?: ImportJob[] } | undefined
  return snapshot?.jobs?.find((one) => one.id === job)?.marketplace ?? null
}
