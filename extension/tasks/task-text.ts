import type { ExtensionTask } from '#shared/contract/tasks.ts'
import { platformOf } from '#shared/platforms.ts'
import { text } from '../texts/text.ts'
import type { TaskNotice } from './decide-notice.ts'

/** What is to be done: "Take it down on Depop". */
export function taskText(task: Pick<ExtensionTask, 'kind' | 'platform'>): string {
  return text(`task.${task.kind}`, { platform: platformOf(task.platform).name })
}

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
