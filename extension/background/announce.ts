import type { Browser } from 'webextension-polyfill'
import { permissionPattern } from '#extension/messaging/server-address.ts'
import type { WorkerContext } from './context.ts'
import { readSession } from './session/session.ts'

/** A tab as the browser describes it. It keeps addresses to itself that the extension has no permission for. */
interface OpenTab {
  id?: number | undefined
  url?: string | undefined
}

/**
 * Tells the web app of the seller's own server that this browser has the extension, so that it offers no installation:
 * in one tab, or in all. No other page can find out, not even one of another port.
 */
export async function announce(
  browser: Pick<Browser, 'tabs' | 'scripting'>,
  { store }: Pick<WorkerContext, 'store'>,
  tab?: OpenTab,
): Promise<void> {
  const session = await readSession(store)
  if (session?.status !== 'active') return
  const { server } = session
  const tabs: OpenTab[] = tab ? [tab] : await browser.tabs.query({ url: permissionPattern(server) })
  for (const { id, url } of tabs) {
    if (id === undefined || !url?.startsWith(`${server}/app/`)) continue
    // A tab that has closed or gone elsewhere meanwhile needs no mark.
    await browser.scripting.executeScript({ target: { tabId: id }, func: mark, args: [server] }).catch(() => null)
  }
}

/** Runs in the page, so it can use nothing of this file. Looks where it is: the tab may have gone elsewhere meanwhile. */
function mark(server: string): void {
  if (location.origin !== server) return
  document.documentElement.dataset.hapaxExtension = ''
  document.dispatchEvent(new Event('hapax-extension'))
}
