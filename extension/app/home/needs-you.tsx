import { CircleQuestionMark, TriangleAlert } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { countRows, type Needs } from '#extension/messaging/count-needs.ts'
import { type ImportRow, isAsking } from '#extension/messaging/import-row.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { FindingsRow } from '../checks/findings-row.tsx'
import { AskFirst } from '../components/ask-first.tsx'
import { useHost } from '../host.ts'
import { AskingRow } from '../review/asking-row.tsx'
import { SignedOutRow } from '../shops/signed-out-row.tsx'
import { AlertRow } from './alert-row.tsx'
import { TaskRow } from './task-row.tsx'
import { text } from './words.ts'

/** Everything that only the seller can do, each with its button. */
export function NeedsYou(props: {
  needs: Needs
  /** Limits the tasks at first, so that the rest of the screen stays in view. */
  tasksAtFirst: number
  /** Limits more than three forms at first: each leads to the next one. */
  formsAtFirst?: number
  nameOf: (slug: string) => string
  onLook: (row: ImportRow) => void
  onRetry: (row: ImportRow) => void
  onCancel: (row: ImportRow) => void
  busy: string | null
  onRetryAlert: (alert: Alert) => void
  onDismissAlert: (alert: Alert) => void
  onEnded: (alert: Alert) => void
  onAnswerAlert: (alert: Alert, item: string | null) => void
  /** Missing where no inventory is at hand. */
  onFindSold?: (alert: Alert) => void
  onFinish: (task: ExtensionTask, how: 'done' | 'dismiss') => void
  onOpen: (task: ExtensionTask) => void
  onDismissUnanswered: (platform: PlatformSlug) => void
}) {
  const { nameOf } = props
  const { alerts, tasks, signedOut, imports, unanswered, findings } = props.needs
  const waiting = imports.filter((row) => !isAsking(row))
  const asking = imports.filter(isAsking)
  const lost = alerts.filter(({ kind }) => kind === 'connection_lost')
  const others = alerts.filter(({ kind }) => kind !== 'connection_lost')
  const forms = tasks.filter(({ kind }) => kind === 'list')
  const { tasksAtFirst, formsAtFirst = tasksAtFirst } = props
  const alertRow = (alert: Alert) => (
    <AlertRow
      key={alert.uid}
      alert={alert}
      busy={props.busy !== null}
      onRetry={props.onRetryAlert}
      onDismiss={props.onDismissAlert}
      onEnded={props.onEnded}
      onAnswer={props.onAnswerAlert}
      onFind={props.onFindSold}
      stopped={alert.task_uid !== null && props.needs.stopped.has(alert.task_uid)}
    />
  )
  const count = countRows(props.needs)
  if (count === 0) return null
  return (
    <section class="part" aria-labelledby="needs-you">
      <h2 id="needs-you">
        {text('home.needs_you')}
        <span>{count}</span>
      </h2>
      <ul class="rows">
        {lost.map(alertRow)}
        {signedOut.map((platform) => (
          <SignedOutRow key={platform.slug} platform={platform} />
        ))}
        {others.map(alertRow)}
        <TaskRows {...props} tasks={tasks.filter(({ kind }) => kind !== 'list')} />
        {/* The key is the scrape: an import that gets its job meanwhile keeps its open question. */}
        {waiting.map((row) => (
          <Waiting key={row.scrape ?? row.id} row={row} name={nameOf(row.platform)} {...props} />
        ))}
        {asking.length > 0 && <AskingRow rows={asking} nameOf={nameOf} onLook={props.onLook} />}
        {unanswered.map((one) => (
          <Unanswered
            key={one.platform}
            {...one}
            name={nameOf(one.platform)}
            busy={props.busy}
            onDismiss={props.onDismissUnanswered}
          />
        ))}
        {findings.length > 0 && <FindingsRow findings={findings} />}
        <TaskRows {...props} tasks={forms} tasksAtFirst={forms.length > 3 ? formsAtFirst : tasksAtFirst} />
      </ul>
    </section>
  )
}

/** Tasks, with a button for those beyond the first. */
function TaskRows(props: {
  tasks: ExtensionTask[]
  tasksAtFirst: number
  busy: string | null
  onFinish: (task: ExtensionTask, how: 'done' | 'dismiss') => void
  onOpen: (task: ExtensionTask) => void
}) {
  const { tasks } = props
  const [shown, setShown] = useState(props.tasksAtFirst)
  return (
    <>
      {tasks.slice(0, shown).map((task) => (
        <TaskRow key={task.uid} task={task} busy={props.busy} onFinish={props.onFinish} onOpen={props.onOpen} />
      ))}
      {tasks.length > shown && (
        <li>
          <button type="button" class="quiet wide" onClick={() => setShown(shown + 20)}>
            {text('task.more', { n: tasks.length - shown })}
          </button>
        </li>
      )}
    </>
  )
}

/** Listings of bulk jobs that wait for an answer. */
function Unanswered(props: {
  platform: PlatformSlug
  n: number
  name: string
  busy: string | null
  onDismiss: (platform: PlatformSlug) => void
}) {
  const { platform, n, name } = props
  const { page } = useHost()
  const [asking, setAsking] = useState(false)
  return (
    <li>
      <CircleQuestionMark class="sign" size={18} aria-hidden="true" />
      <div class="grow">
        <p>{text('unanswered.row', { n, platform: name })}</p>
        <AskFirst
          label={text('unanswered.dismiss_named', { platform: name })}
          question={text('unanswered.question', { n, platform: name })}
          asking={asking}
          onAsk={setAsking}
          onYes={() => props.busy === null && props.onDismiss(platform)}
        />
      </div>
      {!asking && (
        <a
          class="button"
          href={`${page}#unanswered/${platform}`}
          target={page ? '_blank' : undefined}
          aria-label={text('unanswered.answer_named', { platform: name })}
        >
          {text('unanswered.answer')}
        </a>
      )}
    </li>
  )
}

function Waiting(props: {
  row: ImportRow
  name: string
  onLook: (row: ImportRow) => void
  onRetry: (row: ImportRow) => void
  onCancel: (row: ImportRow) => void
}) {
  const { row, name } = props
  const [asking, setAsking] = useState(false)
  const cancel = (
    <AskFirst
      label={text('import.cancel_named', { platform: name })}
      question={text('import.cancel_question', { platform: name })}
      asking={asking}
      onAsk={setAsking}
      onYes={() => props.onCancel(row)}
    />
  )
  if (row.phase === 'waiting' && row.shop_url) {
    return (
      <li>
        <TriangleAlert class="sign" size={18} aria-hidden="true" />
        <div class="grow">
          <p>{text('import.waits', { platform: name })}</p>
          <p class="soft">{text('import.waits_hint')}</p>
        </div>
        <a class="button" href={row.shop_url} target="_blank" rel="noreferrer">
          {text('import.open_shop')}
        </a>
      </li>
    )
  }
  if (row.phase === 'stopped' && row.stop) {
    return (
      <li>
        <TriangleAlert class="sign" size={18} aria-hidden="true" />
        <div class="grow">
          <p>{text(`stop.${row.stop.reason}`, { platform: name })}</p>
          {cancel}
        </div>
        {!asking && (
          <a class="button" href={row.stop.shop_url} target="_blank" rel="noreferrer">
            {text('import.open_shop')}
          </a>
        )}
      </li>
    )
  }
  return (
    <li>
      <TriangleAlert class="sign" size={18} aria-hidden="true" />
      <div class="grow">
        <p>{text('import.refused', { platform: name })}</p>
        {cancel}
      </div>
      {!asking && (
        <button type="button" onClick={() => props.onRetry(row)}>
          {text('retry')}
        </button>
      )}
    </li>
  )
}
