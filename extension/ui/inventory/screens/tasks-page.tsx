import { Copy } from 'lucide-preact'
import { text } from '#extension/i18n/text.ts'
import { collectNeeds, countNeeds } from '#extension/messaging/count-needs.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { send } from '#extension/messaging/send.ts'
import { AlertRow } from '#extension/ui/components/alert-row.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import { TaskRow } from '#extension/ui/components/task-row.tsx'
import { useAction } from '#extension/ui/hooks/use-request.ts'
import { relist } from '#extension/ui/relist.ts'
import { byUrgency } from '#extension/ui/urgency.ts'
import { platformOf } from '#shared/platforms.ts'

/** All open tasks. Notifications about several tasks lead here. */
export function TasksPage(props: { overview: Overview; refresh: () => Promise<void> }) {
  const { tasks, trouble } = props.overview
  const needs = collectNeeds(props.overview)
  const { busy, late, problem, act } = useAction()
  return (
    <main class="page item">
      <h1 class="hidden" tabIndex={-1}>
        {text('task.title')}
      </h1>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {trouble && (
        <Notice tone="plain" action={{ label: text('home.retry'), act: props.refresh }}>
          {text('task.offline')}
        </Notice>
      )}
      {tasks === null && <Notice tone="warn">{text('task.no_scope')}</Notice>}
      {tasks && countNeeds(props.overview) === 0 && (
        <div class="center">
          <p role="status">{text('home.nothing_needs_you')}</p>
        </div>
      )}
      <ul class="part rows tasks">
        {needs.alerts.map((alert) => (
          <AlertRow
            key={alert.uid}
            alert={alert}
            busy={busy !== null}
            onRelist={(one) => act(one.uid, () => relist(one).then(props.refresh))}
            onDismiss={(one) =>
              act(one.uid, async () => {
                await send('popup.dismissAlert', { uid: one.uid })
                await props.refresh()
              })
            }
          />
        ))}
        {needs.imports.map(({ id, job, platform, counts }) => (
          <li key={id}>
            <Copy class="sign" size={18} aria-hidden="true" />
            <p class="grow">
              {text('import.needs_look', { n: counts?.to_look_at ?? 0 })}{' '}
              <span class="soft">{text('import.from', { platform: platformOf(platform).name })}</span>
            </p>
            {job && (
              <a class="button" href={`#imports/${job}/conflict`}>
                {text('import.look')}
              </a>
            )}
          </li>
        ))}
        {byUrgency(needs.tasks).map((task) => (
          <TaskRow
            key={task.uid}
            task={task}
            busy={busy}
            onOpen={(one) => act(one.uid, async () => void (await send('popup.openTask', { uid: one.uid })))}
            onFinish={(one, how) =>
              act(one.uid, async () => {
                await send('popup.finishTask', { uid: one.uid, how })
                await props.refresh()
              })
            }
          />
        ))}
      </ul>
    </main>
  )
}
