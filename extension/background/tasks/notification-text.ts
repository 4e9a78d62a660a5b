import { alertText } from '#extension/i18n/alert-text.ts'
import { taskText } from '#extension/i18n/task-text.ts'
import { text, textIfAny } from '#extension/i18n/text.ts'
import type { TaskNotification } from './decide-notification.ts'

/** Returns a notification's words. The system shows them as plain text. */
export function notificationText(notification: TaskNotification): { title: string; message: string } {
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
