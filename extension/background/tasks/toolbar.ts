import browser from 'webextension-polyfill'
import { webAddress } from '#extension/messaging/web-address.ts'
import type { TaskNotification } from './decide-notification.ts'
import { notificationText } from './notification-text.ts'

/** Prefix of notification ids. The rest is the URL that a click opens, or empty for our task page. */
const prefix = 'hapax-task '

/** Shows a number on the toolbar button, or a red "!" while money is at risk. Null removes it. */
export async function showBadge(count: number | null, isUrgent = false): Promise<void> {
  const number = count === null ? '' : count > 99 ? '99+' : String(count)
  await browser.action.setBadgeBackgroundColor({ color: isUrgent ? '#b3261e' : '#8a5200' })
  await browser.action.setBadgeText({ text: isUrgent ? '!' : number })
}

/** Shows a notification. A click opens the task's page, or our list of tasks. */
export async function showNotification(notification: TaskNotification): Promise<void> {
  const { title, message, address } = notificationText(notification)
  await browser.notifications.create(`${prefix}${address ?? ''}`, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('icon/128.png'),
    title,
    message,
  })
}

/** Removes the badge and our notifications. */
export async function clearToolbar(): Promise<void> {
  await showBadge(null)
  const ids = Object.keys(await browser.notifications.getAll())
  await Promise.all(ids.filter((id) => id.startsWith(prefix)).map((id) => browser.notifications.clear(id)))
}

/** Must run in the worker's first turn. */
export function followNotifications(): void {
  browser.notifications.onClicked.addListener((id) => {
    if (!id.startsWith(prefix)) return
    const url = webAddress(id.slice(prefix.length)) ?? browser.runtime.getURL('inventory.html#tasks')
    void browser.tabs.create({ url }).then(() => browser.notifications.clear(id))
  })
}
