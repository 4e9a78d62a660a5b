import { taskText } from '#extension/i18n/task-text.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { agoText } from '../common/format.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { Thumb } from '../components/thumb.tsx'
import { useHost } from '../host.ts'
import { text } from './words.ts'

/** One task for the seller: the reason, the action, and where to do it. */
export function TaskRow(props: {
  task: ExtensionTask
  busy: string | null
  onFinish: (task: ExtensionTask, how: 'done' | 'dismiss') => void
  onOpen: (task: ExtensionTask) => void
}) {
  const { task, busy } = props
  const url = useWebAddress()(task.url)
  const todo = taskText(task)
  const { page } = useHost()
  const finish = (how: 'done' | 'dismiss') => busy === null && props.onFinish(task, how)
  return (
    <li class="task">
      <Thumb src={task.image} />
      <div class="grow">
        <p class="soft clamp">
          {text('task.when', { reason: task.reason, when: agoText(Date.parse(task.created_at)) })}
        </p>
        <p>
          <strong>{todo}</strong>
        </p>
        <p class="cut" title={task.title}>
          {task.title}
        </p>
        {task.attempt?.result && (
          <p class="soft">
            {text('downs.tried')}{' '}
            <a href={`${page}#takedowns`} target={page ? '_blank' : undefined}>
              {text('downs.why')}
            </a>
          </p>
        )}
        <p class="links">
          {/* A new listing is reported by the form's page, which knows its address. */}
          {task.kind !== 'list' && (
            <button
              type="button"
              class="link"
              aria-disabled={busy !== null}
              aria-label={`${text('task.done')}: ${todo}, ${task.title}`}
              onClick={() => finish('done')}
            >
              {text('task.done')}
            </button>
          )}
          <button
            type="button"
            class="link"
            aria-disabled={busy !== null}
            aria-label={`${text('dismiss')}: ${todo}, ${task.title}`}
            onClick={() => finish('dismiss')}
          >
            {text('dismiss')}
          </button>
        </p>
      </div>
      {url && task.kind === 'list' && (
        <button
          type="button"
          aria-label={`${text('task.form')}: ${todo}, ${task.title}`}
          onClick={() => props.onOpen(task)}
        >
          {text('task.form')}
        </button>
      )}
      {url && task.kind !== 'list' && (
        <a
          class="button"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={`${text('open')}: ${todo}, ${task.title}`}
        >
          {text('open')}
        </a>
      )}
    </li>
  )
}
