import { alertText } from '#extension/i18n/alert-text.ts'
import { taskText } from '#extension/i18n/task-text.ts'
import { text, textIfAny } from '#extension/i18n/text.ts'
import { webAddress } from '#extension/messaging/web-address.ts'
import type { TaskNotification } from './decide-notification.ts'

/** The words of a notification, which the system shows as plain text, and the page of the listing that it is about, if any. */
interface NotificationText {
  title: string
  message: string
  address: string | null
}

/** Returns the words of a notification and the page that a press on it opens, null for the list of tasks. */
export function notificationText(notification: TaskNotification): NotificationText {
  return { ...wordsOf(notification), address: webAddress(placeOf(notification)) }
}

function wordsOf(notification: TaskNotification): Omit<NotificationText, 'address'> {
  if (notification.kind === 'alert') {
    const { alert } = notification
    return { title: alertText(alert), message: alert.title ?? text('notification.alert_text') }
  }
  if (notification.kind === 'alerts') {
    return {
      title: text('notification.alerts', { n: notification.alerts.length }),
      message: notification.alerts.slice(0, 3).map(alertText).join('. '),
    }
  }
  if (notification.kind === 'many') {
    const n = notification.tasks.length
    return { title: text('notification.many', { n }), message: text('notification.many_text') }
  }
  const { task } = notification
  return {
    title: text('notification.one', { reason: task.reason, todo: taskText(task) }),
    message: [task.title, textIfAny(`downs.next.${task.attempt?.result}`)].filter(Boolean).join('. '),
  }
}

/** Returns the listing that the seller is to end, if the notification is about one only. */
function placeOf(notification: TaskNotification): string | null {
  if (notification.kind === 'one') return notification.task.url
  if (notification.kind !== 'alert') return null
  const { kind, progress, listing_url } = notification.alert
  return kind === 'delist_overdue' && progress.state === 'waiting_for_seller' ? listing_url : null
}
