import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { ReviewedItem } from '#extension/messaging/protocol.ts'
import type { ImportItemStatus, ImportJob } from '#shared/contract/catalog/imports.ts'
import { isJobFailure, readSummary } from '#shared/import-issues.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { decimalText, whenText } from '../common/format.ts'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { Choice, Sentence } from '../components/sentence.tsx'
import { Thumb } from '../components/thumb.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call, host, send } from '../host.ts'
import { type Column, Grid } from '../table/grid.tsx'
import { gapsOf, text, textIfAny } from './words.ts'

type Row = ReviewedItem
type Status = ImportItemStatus | 'any'
const statuses = ['pending', 'imported', 'failed', 'conflict', 'skipped'] as const satisfies readonly ImportItemStatus[]

/** Page size of the server's list. */
const pageSize = 100

/** All listings of an import in a table, with their result. */
export function ImportReview(props: {
  jobs: readonly ImportJob[]
  job: string | null
  status: string | null
  nameOf: (slug: string) => string
  /** Page URL of each shop that this browser reads. */
  shops: ReadonlyMap<string, string>
  onImport: (platform: PlatformSlug) => void
  onChanged: () => Promise<void>
}) {
  const { jobs } = props
  const job = props.job === null ? jobs[0] : jobs.find((one) => one.id === props.job)
  // Stays while its listings are answered.
  const first = useMemo(() => (job ? firstOf(job) : 'any'), [job?.id])
  const status: Status = statuses.find((one) => one === props.status) ?? (props.status === null ? first : 'any')
  // Keep the filter in the URL, so that back from a conflict returns to the same list.
  const show = (job: string, wanted: Status | null) => {
    location.hash = wanted ? `imports/${job}/${wanted}` : `imports/${job}`
  }
  return (
    <main class="page">
      <h1 class="hidden" tabIndex={-1}>
        {text('palette.imports')}
      </h1>
      {job ? (
        <>
          <div class="filter">
            <Sentence
              parts={gapsOf('review.sentence')}
              gaps={{
                status: (
                  <Choice
                    label={text('review.what')}
                    value={status}
                    options={[
                      ['any', text('review.counted', { what: text('filter.any'), n: job.total_listings_found })],
                      ...statuses.map(
                        (one) =>
                          [
                            one,
                            text('review.counted', { what: text(`review.filter.${one}`), n: countOf(job, one) }),
                          ] as const,
                      ),
                    ]}
                    onChange={(wanted) => show(job.id, wanted)}
                  />
                ),
                job: (
                  <Choice
                    label={text('palette.imports')}
                    value={job.id}
                    options={jobs.map((one) => [
                      one.id,
                      text('review.job', {
                        platform: props.nameOf(one.marketplace),
                        when: whenText(Date.parse(one.created_at)),
                      }),
                    ])}
                    onChange={(chosen) => show(chosen, null)}
                  />
                ),
              }}
            />
          </div>
          <Whole job={job} shops={props.shops} onImport={props.onImport} />
          <Issues key={job.id} job={job} onChanged={props.onChanged} />
          <Items key={`${job.id} ${status}`} job={job.id} stage={stageOf(job)} status={status} />
        </>
      ) : jobs[0] ? (
        // Do not show another import in place of a missing one.
        <div class="center">
          <h2>{text('review.gone')}</h2>
          <p>
            <a href="#imports">{text('review.newest')}</a>
          </p>
        </div>
      ) : (
        <div class="center">
          <h2>{text('review.none')}</h2>
          <p class="soft">{text('inventory.empty_text')}</p>
          <p>
            <a class="button main" href="#home">
              {text('empty.title')}
            </a>
          </p>
        </div>
      )}
    </main>
  )
}

/** Banner about the whole import. Offers a retry if it is incomplete. */
function Whole({
  job,
  shops,
  onImport,
}: { job: ImportJob } & Pick<Parameters<typeof ImportReview>[0], 'shops' | 'onImport'>) {
  const read = job.status === 'completed' ? readSummary(job.issue_summary) : null
  if (!read) return null
  const { marketplace } = job
  const href = shops.get(marketplace)
  const label = text('retry')
  return (
    <Notice
      tone={read.incomplete ? 'warn' : 'plain'}
      {...(!read.incomplete
        ? {}
        : href
          ? { link: { label, href } }
          : { action: { label, act: () => onImport(marketplace) } })}
    >
      {read.incomplete && `${text('import.phase.incomplete')}: `}
      {read.text}
    </Notice>
  )
}

/** The open issues of an import, with what can be done about all of them. */
function Issues({ job, onChanged }: { job: ImportJob; onChanged: () => Promise<void> }) {
  const { id, items_conflicted, items_failed } = job
  const { busy, problem, act } = useAction()
  if (items_conflicted + items_failed === 0) return null
  const summary = [
    text('import.imported', { n: job.items_imported }),
    items_conflicted > 0 && text('import.to_look_at', { n: items_conflicted }),
    items_failed > 0 && text('import.not_read', { n: items_failed }),
  ]
  const button = (name: 'skipAllConflicts' | 'retryFailedItems', label: string) => (
    <button
      type="button"
      aria-disabled={busy !== null}
      onClick={() =>
        act(name, async () => {
          await call(name, { params: { uid: id } })
          if (name === 'skipAllConflicts') await offerUndoOfSkip(items_conflicted)
          await onChanged()
        })
      }
    >
      {busy === name ? text('working') : label}
    </button>
  )
  return (
    <section class="issues" aria-label={text('review.issues')}>
      <p class="grow">{summary.filter((part) => part !== false).join(', ')}</p>
      {items_conflicted > 0 && (
        <>
          <a class="button main" href={`#decisions/${id}`}>
            {text('review.go', { n: items_conflicted })}
          </a>
          {button('skipAllConflicts', text('review.skip_all', { n: items_conflicted }))}
        </>
      )}
      {items_failed > 0 && button('retryFailedItems', text('review.retry_failed', { n: items_failed }))}
      {problem && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

/** Offers to undo that all listings of an import were skipped. */
async function offerUndoOfSkip(n: number): Promise<void> {
  const { results } = await call('listChanges', { query: { page_size: '50' } })
  offerUndo(text('decide.skipped', { n }), results.find(({ kind }) => kind === 'skip')?.uid, n)
}

/** Returns the result that is shown at first: what is left to do, if anything. */
function firstOf({ items_conflicted, items_failed }: ImportJob): Status {
  return items_conflicted > 0 ? 'conflict' : items_failed > 0 ? 'failed' : 'any'
}

/** Returns how many of a job's listings have a result. */
function countOf(job: ImportJob, status: ImportItemStatus): number {
  const { items_imported, items_failed, items_conflicted, items_skipped } = job
  const known = { imported: items_imported, failed: items_failed, conflict: items_conflicted, skipped: items_skipped }
  if (status !== 'pending') return known[status]
  return Math.max(0, job.total_listings_found - items_imported - items_failed - items_conflicted - items_skipped)
}

/** Changes with each step of the job. */
function stageOf(job: ImportJob): string {
  const { status, total_listings_found, items_imported, items_skipped, items_failed, items_conflicted } = job
  return [status, total_listings_found, items_imported, items_skipped, items_failed, items_conflicted].join(' ')
}

function Items({ job, stage, status }: { job: string; stage: string; status: Status }) {
  const { count, rows, problem, want, again } = usePages(job, stage, status)
  const columns: Column<Row>[] = [
    {
      key: 'picture',
      width: 40,
      head: <span class="hidden">{text('inventory.picture')}</span>,
      cell: (row) => <Thumb src={row.image} />,
    },
    {
      key: 'title',
      width: 200,
      grows: true,
      head: text('inventory.title_head'),
      cell: ({ item }) => <span class="cut">{titleOf(item)}</span>,
    },
    { key: 'price', width: 92, head: text('inventory.price'), cell: priceOf },
    {
      key: 'sku',
      width: 130,
      head: text('inventory.sku'),
      cell: ({ item }) => <span class="cut">{item.external_sku}</span>,
    },
    {
      key: 'what',
      width: 380,
      grows: true,
      head: text('review.what'),
      cell: (row) => (
        <>
          <What job={job} {...row} />
          {row.item.note && (
            <strong class="warn" title={row.item.note}>
              {text('review.auction')}
            </strong>
          )}
        </>
      ),
    },
  ]
  if (problem) return <Failure message={problem} onRetry={again} />
  if (count === null) return <Loading />
  if (count === 0) {
    return (
      <div class="center">
        <p role="status">{text('review.empty')}</p>
      </div>
    )
  }
  return (
    <Grid
      kind="review"
      label={text('review.label')}
      count={count}
      columns={columns}
      rowAt={(index) => rows.get(index) ?? null}
      onShow={want}
      onOpen={({ item }) => {
        if (item.status === 'conflict') location.hash = `conflict/${job}/${item.id}`
        else if (item.created_inventory_item_uid) location.hash = `item/${item.created_inventory_item_uid}`
        else if (item.listing_url) host().openTab(item.listing_url)
      }}
    />
  )
}

function titleOf({ listing_title, external_listing_id }: Row['item']): string {
  return listing_title || (isJobFailure(external_listing_id) ? text('issues.whole') : external_listing_id)
}

/** Includes the currency if known. */
const priceOf = ({ item: { listing_price }, currency }: Row) => decimalText(listing_price ?? '', currency)

function What({ job, item }: Row & { job: string }) {
  if (item.status === 'conflict') {
    return (
      <>
        <span class="state reserved cut">
          {text('review.waits', { why: textIfAny(`conflict.${item.conflict_type}`) ?? text('conflict.title') })}
        </span>
        <a class="button" href={`#conflict/${job}/${item.id}`} tabIndex={-1}>
          {text('issues.compare')}
        </a>
      </>
    )
  }
  if (item.status === 'failed') {
    const coded = isJobFailure(item.external_listing_id) ? null : item.error_code
    const why = (coded && textIfAny(`issues.error.${coded}`)) ?? item.error_message ?? ''
    return (
      <>
        <span class="state failed clamp" title={why}>
          {text('review.failed', { why })}
        </span>
        {item.listing_url && (
          <a class="button" href={item.listing_url} target="_blank" rel="noreferrer" tabIndex={-1}>
            {text('review.open')}
          </a>
        )}
      </>
    )
  }
  const words = item.resolution && textIfAny(`review.resolved.${item.resolution}`)
  return (
    <span class={`state cut ${item.status === 'imported' ? 'available' : ''}`}>
      {words ?? text(`review.${item.status}`)}
    </span>
  )
}

/** Loads the pages of a job's items that come into view, and reloads them at each `stage`. */
function usePages(job: string, stage: string, status: Status) {
  const [count, setCount] = useState<number | null>(null)
  const [rows, setRows] = useState<ReadonlyMap<number, Row>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const asked = useRef(new Set<number>())
  const inSight = useRef([1])
  const isDue = useRef(false)
  const underWay = useRef(false)

  const read = async (page: number) => {
    if (asked.current.has(page)) return
    asked.current.add(page)
    try {
      const answer = await send('inventory.jobItems', { job, page, ...(status === 'any' ? {} : { status }) })
      setCount(answer.count)
      setRows((before) => {
        const after = new Map(before)
        for (const [index, row] of answer.items.entries()) after.set((page - 1) * pageSize + index, row)
        return after
      })
    } catch (error) {
      asked.current.delete(page)
      setProblem(errorText(error))
    }
  }
  /** Reloads the visible pages. A stage that begins meanwhile gets its own reload. */
  const readAgain = async () => {
    isDue.current = true
    if (underWay.current) return
    underWay.current = true
    while (isDue.current) {
      isDue.current = false
      asked.current.clear()
      await Promise.all(inSight.current.map(read))
    }
    underWay.current = false
  }
  useEffect(() => void readAgain(), [stage])
  return {
    count,
    rows,
    problem,
    again: () => {
      setProblem(null)
      void readAgain()
    },
    want: (first: number, last: number) => {
      const [from, to] = [Math.floor(first / pageSize) + 1, Math.floor(Math.max(first, last) / pageSize) + 1]
      inSight.current = Array.from({ length: to - from + 1 }, (_, n) => from + n)
      for (const page of inSight.current) void read(page)
    },
  }
}
