import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { platformOf } from '#shared/platforms.ts'
import { text } from './text.ts'

/** Returns a task's action in words. */
export function taskText(task: Pick<ExtensionTask, 'kind' | 'platform'>): string {
  return text(`task.${task.kind}`, { platform: platformOf(task.platform).name })
}
