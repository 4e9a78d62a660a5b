import { useEffect, useRef, useState } from 'preact/hooks'
import type { BulkJob, BulkResult } from '#shared/contract/listings.ts'
import { platforms as catalogue, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { MessageError, send } from '../../../messages/send.ts'
import type { PlatformHealth } from '../../../overview/overview.ts'
import { failureText } from '../../../stock/failure-text.ts'
import { planBulk, uidsOf } from '../../../stock/plan-bulk.ts'
import { livePlatforms, type StockRow } from '../../../stock/row.ts'
import { text } from '../../../texts/text.ts'
import { Notice } from '../../popup/parts/notice.tsx'
import { useAction } from '../../popup/use-request.ts'
import { Dialog } from './dialog.tsx'
import { MeantItems } from './meant-items.tsx'

/** How often the job is looked at while it is under way, in milliseconds. */
const lookMs = 1_000

/** Listing or taking down many: where, what will happen, how far it is, and what came of it. */
export function BulkDialog(props: {
  action: 'list' | 'delist'
  rows: StockRow[]
  platforms: readonly PlatformHealth[]
  /** Of the seller's server, where an address is given. */
  server: string
  onClose: () => void
}) {
  const { action } = props
  // What is said here is what is done, though the table behind changes meanwhile.
  const [rows] = useState(props.rows)
  const [chosen, setChosen] = useState<readonly PlatformSlug[]>([])
  const [job, setJob] = useState<string | null>(null)
  const key = useRef(crypto.randomUUID())
  const { busy, late, problem, code, act } = useAction()
  const plan = planBulk(
    action,
    rows,
    catalogue.map((platform) => platform.slug),
  )
  const offered = plan.platforms.filter((one) => action === 'list' || one.doing.length > 0)
  const uids = uidsOf(plan, chosen)
  const go = () =>
    act('go', async () => {
      const started = await again(() => send('stock.bulk', { action, uids, platforms: [...chosen], key: key.current }))
      setJob(started.uid)
    })

  return (
    <Dialog
      title={text(`bulk.${action}_${job ? 'go' : 'title'}`, { n: job ? uids.length : rows.length })}
      onClose={props.onClose}
    >
      {job ? (
        <Progress job={job} rows={rows} onClose={props.onClose} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (uids.length > 0) void go()
          }}
        >
          {problem && (
            <Notice
              tone="bad"
              link={
                code === 'address_required'
                  ? { label: text('bulk.give_address'), href: `${props.server}/connect/address/` }
                  : undefined
              }
            >
              {problem}
            </Notice>
          )}
          {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
          {plan.left_out > 0 && <p class="soft">{text('bulk.left_out', { n: plan.left_out })}</p>}
          <fieldset>
            <legend class="hidden">{text('bulk.where')}</legend>
            {offered.map(({ platform, doing, already }) => (
              <label key={platform} class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(platform)}
                  disabled={doing.length === 0 || (action === 'list' && lacksShop(platform, props.platforms))}
                  onChange={() => {
                    // Another choice is another thing to do: it gets its own key.
                    key.current = crypto.randomUUID()
                    setChosen(
                      chosen.includes(platform) ? chosen.filter((one) => one !== platform) : [...chosen, platform],
                    )
                  }}
                />
                <span>
                  <strong>{platformOf(platform).name}</strong>
                  <span class="soft block">{planText(action, platform, doing.length, already, props.platforms)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {action === 'delist' && <MeantItems rows={comingDown(rows, uids)} />}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('bulk.cancel')}
            </button>
            <button type="submit" class="main" aria-disabled={uids.length === 0 || busy !== null}>
              {busy ? text('bulk.busy') : text(`bulk.${action}_go`, { n: uids.length })}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** A lost worker answers the same press again by its key: nothing is done twice. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof MessageError) || error.code !== 'lost') throw error
    return ask()
  }
}

/** The items that are taken down; before a platform is chosen, those that could be. */
function comingDown(rows: StockRow[], uids: string[]): StockRow[] {
  const meant = new Set(uids)
  return rows.filter((row) => (meant.size > 0 ? meant.has(row.uid) : livePlatforms(row).length > 0))
}

/** Nothing can be listed where no shop is connected; where nobody knows, the server will say. */
function lacksShop(platform: PlatformSlug, health: readonly PlatformHealth[]): boolean {
  const state = health.find((one) => one.slug === platform)?.health
  return platformOf(platform).connection === 'oauth' && (state === 'none' || state === 'needs_you')
}

function planText(
  action: 'list' | 'delist',
  platform: PlatformSlug,
  n: number,
  already: number,
  health: readonly PlatformHealth[],
): string {
  const by = platformOf(platform).connection === 'extension'
  const connected = by || health.find((one) => one.slug === platform)?.health === 'ok'
  if (action === 'list' && n > 0 && lacksShop(platform, health)) return text('bulk.connect_first')
  return [
    n > 0 && text(`bulk.${action}${by ? '_by_you' : ''}`, { n }),
    already > 0 && action === 'list' && text('bulk.already', { n: already }),
    !connected && text('bulk.not_connected'),
  ]
    .filter(Boolean)
    .join(' ')
}

function Progress(props: { job: string; rows: StockRow[]; onClose: () => void }) {
  const { job: uid } = props
  const [job, setJob] = useState<BulkJob | null>(null)
  const [failed, setFailed] = useState<BulkResult[]>([])
  const [trouble, setTrouble] = useState(false)
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      try {
        const answer = await send('stock.bulkJob', { uid, status: 'failed', page: 1 })
        if (stopped) return
        setJob(answer.job)
        setFailed(answer.results)
        setTrouble(false)
        if (answer.job.status === 'completed' || answer.job.status === 'cancelled') return
      } catch {
        // The job goes on without us; that it cannot be seen just now is said.
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

  const over = job?.status === 'completed' || job?.status === 'cancelled'
  const titleOf = (item: string) => props.rows.find((row) => row.uid === item)?.title ?? item
  return (
    <div class="boxed">
      {trouble && <Notice tone="plain">{text('bulk.unseen')}</Notice>}
      <p role="status">{job ? resultText(job) : text('bulk.busy')}</p>
      {!over && (
        <progress
          aria-label={text('bulk.progress')}
          max={job?.total ?? 1}
          {...(job ? { value: job.total - job.pending } : {})}
        />
      )}
      {failed.length > 0 && (
        <ul class="rows failures">
          {failed.map((result) => (
            <li key={`${result.inventory_item_uid} ${result.platform}`}>
              <div class="grow">
                <p class="cut">{titleOf(result.inventory_item_uid)}</p>
                <p class="soft">{failureText(result)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {job && job.failed > failed.length && (
        <p class="soft">{text('bulk.more_failed', { n: job.failed - failed.length })}</p>
      )}
      <div class="buttons">
        {!over && (
          <button
            type="button"
            onClick={() => void send('stock.cancelBulk', { uid }).then(setJob, () => setTrouble(true))}
          >
            {text('bulk.stop')}
          </button>
        )}
        {over && job.manual > 0 && (
          <button
            type="button"
            onClick={() => {
              props.onClose()
              location.hash = 'tasks'
            }}
          >
            {text('bulk.tasks')}
          </button>
        )}
        <button type="button" class="main" onClick={props.onClose}>
          {text(over ? 'bulk.close' : 'bulk.leave')}
        </button>
      </div>
    </div>
  )
}

/** "10 done, 2 left to you, 1 failed": what is zero is not said, except that nothing has happened yet. */
function resultText(job: BulkJob): string {
  return [
    (job.succeeded > 0 || job.pending === job.total) && text('bulk.succeeded', { n: job.succeeded }),
    job.manual > 0 && text('bulk.manual', { n: job.manual }),
    job.failed > 0 && text('bulk.failed', { n: job.failed }),
    job.cancelled > 0 && text('bulk.cancelled', { n: job.cancelled }),
    job.pending > 0 && text('bulk.pending', { n: job.pending }),
  ]
    .filter(Boolean)
    .join(', ')
}
