import { useEffect, useRef, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { BulkJob, BulkResult, ListingResult } from '#shared/contract/selling/listings.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { type OAuthSlug, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { platformNames } from '../common/platform-names.ts'
import { Notice } from '../components/notice.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call, send, useHost } from '../host.ts'
import { canChoose, failureText, needsChoice } from './failure-text.ts'
import { nameOf, type Target } from './plan-bulk.ts'
import { settledCounts } from './settled-counts.ts'
import { text } from './words.ts'

/** Polling interval of a bulk job, in ms. */
const lookMs = 1_000

/** The progress of a bulk job, then its result. */
export function BulkProgress(props: {
  job: string
  rows: InventoryRow[]
  hidden: boolean
  settled: ReadonlyMap<string, ListingResult>
  /** Called when the job ends, with the listings that need the seller's choice. */
  onUnchosen: (targets: Target[]) => void
  onChoose: (target: Target) => void
  /** Asks once for what several listings lack. */
  onAnswerAll: (targets: readonly Target[]) => void
  onClose: () => void
}) {
  const { job: uid, settled } = props
  const { job, failed, listed, trouble, cancel } = useBulkJob(uid, props.onUnchosen)
  const over = job?.status === 'completed' || job?.status === 'cancelled'
  const hasForms = over && job.action === 'list' && job.manual > 0
  const { kind } = useHost()
  const { busy, problem, act } = useAction()
  /** Opens the form of the first task, which the extension fills in. The form leads to the next. */
  const openForm = () =>
    act('open', async () => {
      const { results } = await call('listTasks', { query: { page_size: '100' } })
      const isOfJob = (task: ExtensionTask) =>
        task.kind === 'list' && props.rows.some((row) => row.uid === task.inventory_item_uid)
      const task = results.findLast(isOfJob)
      if (task) await send('popup.openTask', { uid: task.uid })
      else location.hash = 'tasks'
      props.onClose()
    })
  // The press that lists one item by its form has opened it. A web page may open no tab by itself.
  const opensItself = hasForms && job.total === 1 && kind === 'extension'
  useEffect(() => {
    if (opensItself) void openForm()
  }, [opensItself])
  // The page behind shows what became of a single item.
  const isThrough = over && props.rows.length === 1 && job.succeeded === job.total
  useEffect(() => {
    if (!isThrough || (job.action === 'list' && listed.length === 0)) return
    if (job.action === 'list')
      offerUndo(text('choice.listed', { platform: platformNames(listed.map(platformIn)) }), null)
    props.onClose()
  }, [isThrough, listed])
  const titleOf = (item: string) => props.rows.find((row) => row.uid === item)?.title ?? item
  const left = failed.filter((result) => !settled.has(nameOf(targetOf(result))))
  const unchosen = left.filter(needsChoice)
  const since = failed.flatMap((result) => settled.get(nameOf(targetOf(result))) ?? [])
  return (
    <div class="boxed" hidden={props.hidden}>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {trouble && <Notice tone="plain">{text('bulk.unseen')}</Notice>}
      <p role="status">{job ? resultText(settledCounts(job, since), unchosen.length) : text('working')}</p>
      {!over && (
        <progress
          aria-label={text('bulk.progress')}
          max={job?.total ?? 1}
          {...(job ? { value: job.total - job.pending } : {})}
        />
      )}
      {left.length > 0 && <Failures results={left} titleOf={titleOf} onChoose={over ? props.onChoose : null} />}
      {over && unchosen.length > 0 && <p class="soft">{text('bulk.unchosen_wait')}</p>}
      {listed.length > 0 && <Listed results={listed} titleOf={titleOf} />}
      {job && job.failed > failed.length && (
        <p class="soft">{text('bulk.more_failed', { n: job.failed - failed.length })}</p>
      )}
      <div class="buttons">
        {!over && (
          <button type="button" onClick={cancel}>
            {text('stop')}
          </button>
        )}
        {hasForms && (
          <button
            type="button"
            class={unchosen.length > 1 ? '' : 'main'}
            aria-disabled={busy !== null}
            onClick={openForm}
          >
            {text('bulk.open_form', { n: job.manual })}
          </button>
        )}
        <button type="button" class={over && (unchosen.length > 1 || hasForms) ? '' : 'main'} onClick={props.onClose}>
          {text(over ? 'close' : 'bulk.leave')}
        </button>
        {over && unchosen.length > 1 && (
          <button type="button" class="main" onClick={() => props.onAnswerAll(unchosen.map(targetOf))}>
            {text('same.again', { n: unchosen.length })}
          </button>
        )}
      </div>
    </div>
  )
}

/** Follows a job until it ends. `onUnchosen` is called then, with the listings that need the seller's choice. */
function useBulkJob(uid: string, onUnchosen: (targets: Target[]) => void) {
  const [job, setJob] = useState<BulkJob | null>(null)
  const [failed, setFailed] = useState<BulkResult[]>([])
  const [listed, setListed] = useState<BulkResult[]>([])
  const [trouble, setTrouble] = useState(false)
  useUndoOffer(job)
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      try {
        const answer = await call('getBulkJob', { params: { uid }, query: { status: 'failed', page_size: '100' } })
        if (stopped) return
        setJob(answer.job)
        setFailed(answer.results)
        setTrouble(false)
        if (answer.job.status === 'completed' || answer.job.status === 'cancelled') {
          onUnchosen(answer.results.filter(needsChoice).map(targetOf))
          if (answer.job.action === 'list') {
            const done = await call('getBulkJob', { params: { uid }, query: { status: 'succeeded', page_size: '100' } })
            if (!stopped) setListed(done.results)
          }
          return
        }
      } catch {
        // The job continues on the server. Say that its progress is not visible right now.
        if (stopped) return
        setTrouble(true)
      }
      timer = setTimeout(look, lookMs)
    }
    void look()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [uid])
  return {
    ...{ job, failed, listed, trouble },
    cancel: () => void call('cancelBulkJob', { params: { uid } }).then(setJob, () => setTrouble(true)),
  }
}

/** Offers to undo a take-down once the dialog, which covers the offer, is closed. */
function useUndoOffer(job: BulkJob | null): void {
  const last = useRef(job)
  last.current = job
  useEffect(
    () => () => {
      const { current: ended } = last
      if (ended?.action !== 'delist' || !ended.change_uid) return
      const isDown = ended.succeeded > 0 && ended.pending === 0 && ended.manual === 0
      const words = isDown ? text('undo.after.take_down', { n: ended.succeeded }) : text('undo.during.take_down')
      offerUndo(words, ended.change_uid, ended.succeeded)
    },
    [],
  )
}

function Failures(props: {
  results: BulkResult[]
  titleOf: (item: string) => string
  /** Opens a listing's own form; null while the job runs. */
  onChoose: ((target: Target) => void) | null
}) {
  const { onChoose } = props
  return (
    <ul class="rows failures">
      {props.results.map((result) => (
        <li key={`${result.inventory_item_uid} ${result.platform}`}>
          <div class="grow">
            <p class="cut">{props.titleOf(result.inventory_item_uid)}</p>
            <p class="soft">{failureText(result)}</p>
          </div>
          {onChoose && canChoose(result) && (
            <button
              type="button"
              aria-label={text('choice.open_named', {
                title: props.titleOf(result.inventory_item_uid),
                platform: platformOf(result.platform as PlatformSlug).name,
              })}
              onClick={() => onChoose(targetOf(result))}
            >
              {text('choice.open')}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Listed(props: { results: BulkResult[]; titleOf: (item: string) => string }) {
  const addressOf = useWebAddress()
  return (
    <ul class="rows listed">
      {props.results.map(({ inventory_item_uid, platform, listing_url }) => {
        const { name } = platformOf(platform as PlatformSlug)
        const href = listing_url && addressOf(listing_url)
        return (
          href && (
            <li key={`${inventory_item_uid} ${platform}`}>
              <p class="grow cut">{props.titleOf(inventory_item_uid)}</p>
              <a
                href={href}
                target="_blank"
                rel="noreferrer"
                aria-label={text('lines.open_named', { title: props.titleOf(inventory_item_uid), platform: name })}
              >
                {text('lines.open', { platform: name })}
              </a>
            </li>
          )
        )
      })}
    </ul>
  )
}

const platformIn = ({ platform }: BulkResult) => platform as PlatformSlug

const targetOf = (result: BulkResult): Target => ({
  uid: result.inventory_item_uid,
  platform: result.platform as OAuthSlug,
})

/** Summarizes a job: "10 done, 2 left to you, 3 need an answer, 1 failed". Omits zeros unless nothing happened yet. */
function resultText(job: BulkJob, unchosen: number): string {
  return [
    (job.succeeded > 0 || job.pending === job.total) && text('bulk.succeeded', { n: job.succeeded }),
    job.manual > 0 && text('bulk.manual', { n: job.manual }),
    unchosen > 0 && text('bulk.unchosen', { n: unchosen }),
    job.failed > unchosen && text('bulk.failed', { n: job.failed - unchosen }),
    job.cancelled > 0 && text('bulk.cancelled', { n: job.cancelled }),
    job.pending > 0 && text('bulk.pending', { n: job.pending }),
  ]
    .filter(Boolean)
    .join(', ')
}
