import { browser } from 'wxt/browser'
import { livePort, News } from '#extension/messaging/news.ts'
import { send } from '#extension/messaging/send.ts'
import { permissionPattern } from '#extension/messaging/server-address.ts'
import type { Host } from '../host.ts'

/** The host of the extension's pages: the worker answers by messages, and the key stays there. */
export const messageHost: Host = {
  kind: 'extension',
  send,
  watch(onNews, onLost) {
    const port = browser.runtime.connect({ name: livePort })
    port.onMessage.addListener((message: unknown) => onNews(News.parse(message)))
    port.onDisconnect.addListener(onLost)
    return () => port.disconnect()
  },
  pageAt: (place) => new URL(`/inventory.html${place}`, location.origin).href,
  openTab: (url) => void browser.tabs.create({ url }),
  allow: (server) => browser.permissions.request({ origins: [permissionPattern(server)] }),
  async disallow(server) {
    // Built-in hosts, such as loopback, cannot be dropped.
    await browser.permissions.remove({ origins: [permissionPattern(server)] }).catch(() => false)
  },
}
