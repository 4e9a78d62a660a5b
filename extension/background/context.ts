import { Settings } from '#extension/messaging/settings.ts'
import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { InventoryCache } from '#extension/storage/inventory-cache/database.ts'
import type { Client } from '#shared/contract/client.ts'
import type { ImportJob } from '#shared/contract/imports.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Fetch } from './session/api.ts'
import { readSession, type Session } from './session/session.ts'
import type { Store } from './session/store.ts'
import type { TaskNotification } from './tasks/decide-notification.ts'
import type { PushDeps } from './upload/push.ts'
import { KnownError } from './wire-error.ts'

/** What the worker's handlers work with; everything that touches the world comes in here. */
export interface WorkerContext {
  /** Opened at first use, and again after the browser closed it. */
  importQueue: () => Promise<ImportQueue>
  /** The inventory as it was last read; opened like the cache. */
  inventory: () => Promise<InventoryCache>
  store: Store
  fetch: Fetch
  clientOf: (session: Session) => Client
  now: () => number
  random: () => number
  sleep: (ms: number) => Promise<void>
  locks: PushDeps['locks']
  keyName: string
  /** Of this extension, such as 0.1.0. */
  version: string
  /** Sends what waits, soon; its outcome is its own business. */
  push: (eager?: boolean) => void
  /** Looks now and from now on what needs the seller (background/tasks/watch). */
  keepWatch: () => void
  /** Gives up what is under way for the session that was, and tells open pages that it is another one, or none. */
  sessionChanged: () => void
  /** Takes back what the browser was asked to keep for us: alarms, notifications, the number on the button. */
  clearTraces: () => Promise<void>
  /** Shows a number on the toolbar button; null: none. */
  badge: (count: number | null) => Promise<void>
  /** Opens an address in a new tab and says which; null: the browser does not say. */
  openTab: (url: string) => Promise<number | null>
  /** Whether a tab is still there; one of a browser that ended is not. */
  isTabOpen: (tab: number) => Promise<boolean>
  /** Tells the seller of tasks, wherever they are. */
  notify: (notification: TaskNotification) => Promise<void>
}

/** The seller's settings, with the default for each that they have not set. */
export async function readSettings(store: Store): Promise<Settings> {
  return Settings.parse((await store.get('settings')) ?? {})
}

/** Milliseconds between two requests to a platform (default: at most one a second). */
export async function readPaceMs(store: Store): Promise<number> {
  return (await readSettings(store)).pace_ms
}

/** Milliseconds between two scheduled checks; null: there are none. */
export async function readCheckEveryMs(store: Store): Promise<number | null> {
  const { check_minutes } = await readSettings(store)
  return check_minutes === 0 ? null : check_minutes * 60_000
}

/** A client for the seller who is signed in. Throws `no_session` when nobody is. */
export async function openCall(context: WorkerContext): Promise<Client> {
  return context.clientOf(await activeSession(context))
}

/** The session of the seller who is signed in. Throws `no_session` when nobody is. */
export async function activeSession(context: WorkerContext): Promise<Session> {
  const session = await readSession(context.store)
  if (session?.status !== 'active') throw new KnownError('no_session', 'Sign in first.')
  return session
}

/** The platform of an import job that was shown in the overview; null for one that was not. */
export async function platformOfJob(context: WorkerContext, job: string): Promise<PlatformSlug | null> {
  const snapshot = (await context.store.get('snapshot')) as { jobs?: ImportJob[] } | undefined
  return snapshot?.jobs?.find((one) => one.id === job)?.marketplace ?? null
}
