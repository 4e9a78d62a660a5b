import 'fake-indexeddb/auto'
import { locks } from 'node:worker_threads'
import { configure, screen as dom, waitFor, within } from '@testing-library/dom'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { type ComponentChild, render } from 'preact'
import { expect } from 'vitest'
import { createWorker, type WorkerHome } from '#extension/background/create-worker.ts'
import { signOut } from '#extension/background/session/account.ts'
import { type Session, writeSession } from '#extension/background/session/session.ts'
import { switchTakeDowns, takeDownNext } from '#extension/background/take-downs/attempt.ts'
import { schedulePush } from '#extension/background/upload/schedule-push.ts'
import { scrapePlatformOf } from '#extension/platforms/registry.ts'
import { preloadDialogs } from '../app/bulk/lazy-dialogs.tsx'
import { runOn } from '../app/host.ts'
import { App as Popup } from '../app/popup/app.tsx'
import { App as Page } from '../app/shell/app.tsx'
import { directHost } from '../app/web/direct-host.ts'
import { webHome } from '../app/web/web-home.ts'
import { signedInTo } from './harness.ts'
import { StandInServer } from './stand-in-server.ts'

/**
 * Screens in a simulated DOM, for tests of what a seller reads, presses and types. The screens, the worker, its databases
 * and the client are the real ones. Page and worker share a process, as in the web app. Layout, the order of Tab, scrolling and the Escape of a dialog need a browser (e2e).
 */

// The simulated navigator has no locks.
Object.defineProperty(navigator, 'locks', { value: locks })
configure({
  // A limit for what hangs: on a machine with other work, an answer takes many times its usual milliseconds.
  asyncUtilTimeout: 120_000,
  // The words of the screen. Its markup would be printed at every look at a screen that is not ready yet.
  getElementError: (message) => new Error(`${message}\nThe screen says: ${document.body.textContent.slice(0, 2_000)}`),
})

let server = new StandInServer()
/** The worker's surroundings, with what the extension does in tabs. */
export const home: WorkerHome = {
  ...webHome(
    (url, init) => server.fetch(url, init),
    (alarm) => worker.ring(alarm),
  ),
  readerOf: scrapePlatformOf,
  push: (eager) => void schedulePush(context, home.alarms, eager),
  takeDownNext: () => takeDownNext(context),
  switchTakeDowns: (platform, on) => switchTakeDowns(context, platform, on),
}
/** One worker for all tests of this process, which share its databases. It talks to the current test's server. */
const worker = createWorker(home)
/** Tests replace its functions. */
export const { context } = worker
/** The host of the screens. Tests replace its functions. */
export const host = directHost(worker)
let root: HTMLElement | null = null

export { dom, waitFor, within }

/** An open screen and its server. */
export interface Screen {
  server: StandInServer
  user: UserEvent
  /** Shows the screen anew at the same place, as a reload does. */
  reload(): void
}

/** Opens the full page of a signed-in seller at a place such as `#item/…`. */
export const openPage = (options: Options = {}): Promise<Screen> => open(() => <Page />, options)

/** Opens the popup of a signed-in seller. */
export const openPopup = (options: Options = {}): Promise<Screen> => open(() => <Popup />, options)

interface Options {
  server?: StandInServer
  hash?: string
  signedIn?: boolean
  /** The session, instead of one of the server's seller. */
  session?: Session
  /** In the web app. */
  isWeb?: boolean
}

async function open(view: () => ComponentChild, options: Options): Promise<Screen> {
  server = options.server ?? new StandInServer()
  // Another file of the worker may have run the app on a host of its own.
  runOn(host)
  host.kind = options.isWeb ? 'web' : 'extension'
  if (options.signedIn !== false) await writeSession(context.store, options.session ?? signedInTo(server))
  const show = () => {
    close()
    root = document.body.appendChild(document.createElement('div'))
    render(view(), root)
  }
  location.hash = options.hash ?? ''
  // As after a while with the app, when a press shows a dialog at once.
  await preloadDialogs()
  show()
  return { server, user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }), reload: show }
}

function close(): void {
  if (root) render(null, root)
  root?.remove()
  root = null
}

/** Closes the screen and deletes what the browser keeps. Call it after each test. */
export async function closeScreen(): Promise<void> {
  close()
  localStorage.clear()
  await signOut(context)
}

/** Waits until a change is shown, and not for what the screen does after its next picture. A press may come before that. */
export async function shown(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await null
}

/** Waits for a text that may be spread over several elements, such as "3 of 60". */
export async function reads(text: string | RegExp): Promise<void> {
  await waitFor(() => expect(document.body.textContent).toMatch(text))
}
