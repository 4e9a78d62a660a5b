import { taskText } from '#extension/i18n/task-text.ts'
import { text } from '#extension/i18n/text.ts'
import type { TaskNotice } from './decide-notification.ts'

/** Words of a notification. They are shown as plain text by the system. */
export function noticeText(notice: TaskNotice): { title: string; message: string } {
  if (notice.kind === 'many') {
    const n = notice.tasks.length
    return { title: text('notice.many', { n }), message: text('notice.many_text') }
  }
  const { task } = notice
  return {
    title: text('notice.one', { reason: task.reason, todo: taskText(task) }),
    message: task.title,
  }
}
