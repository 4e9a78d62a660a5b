import { useState } from 'preact/hooks'
import type { Issue } from '#extension/messaging/protocol.ts'
import { isJobFailure } from '#shared/import-issues.ts'
import { More, Pending } from '../components/pending.tsx'
import { SubHead } from '../components/sub-head.tsx'
import { Thumb } from '../components/thumb.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { inventoryUrl, type Place } from './place.ts'
import { text, textIfAny } from './words.ts'

/** Open issues of an import: conflicts, and listings that could not be read. */
export function Issues(props: { job: string; platform: string; go: (place: Place) => void }) {
  const { job, platform, go } = props
  const [pages, setPages] = useState(1)
  const request = useRequest(`${job}:${pages}`, () => readPages(job, pages))
  const back = () => go({ screen: 'home' })

  return (
    <>
      <SubHead title={text('issues.title', { platform })} onBack={back} />
      <main class="body" aria-busy={request.state === 'loading'}>
        <Pending of={request} />
        {request.state === 'ready' && (
          <>
            {request.value.count === 0 && (
              <p class="part soft" role="status">
                {text('issues.none')}
              </p>
            )}
            {request.value.issues.filter(({ item }) => item.status === 'conflict').length > 1 && (
              <p class="part">
                <a href={`${inventoryUrl}#decisions/${job}`} target="_blank" rel="noreferrer">
                  {text('issues.in_bulk')}
                </a>
              </p>
            )}
            <List
              title={text('issues.conflicts')}
              issues={request.value.issues.filter(({ item }) => item.status === 'conflict')}
              platform={platform}
              onCompare={(item) => go({ screen: 'conflict', job, platform, item })}
            />
            <List
              title={text('issues.failures')}
              issues={request.value.issues.filter(({ item }) => item.status === 'failed')}
              platform={platform}
            />
            {request.value.issues.length < request.value.count && <More onMore={() => setPages(pages + 1)} />}
          </>
        )}
      </main>
    </>
  )
}

function List(props: { title: string; issues: Issue[]; platform: string; onCompare?: (item: string) => void }) {
  if (props.issues.length === 0) return null
  return (
    <section class="part" aria-label={props.title}>
      <h2>
        {props.title}
        <span>{props.issues.length}</span>
      </h2>
      <ul class="rows">
        {props.issues.map((issue) => (
          <Row key={issue.item.id} issue={issue} {...props} />
        ))}
      </ul>
    </section>
  )
}

function Row({ issue, ...props }: { issue: Issue; platform: string; onCompare?: (item: string) => void }) {
  const { item, url } = issue
  const title = isJobFailure(item.external_listing_id)
    ? text('issues.whole')
    : item.listing_title || text('issues.listing', { id: item.external_listing_id })
  return (
    <li>
      {issue.image && <Thumb src={issue.image} />}
      <div class="grow">
        <p class="cut">{title}</p>
        <p class="soft clamp">{reason(issue, props.platform)}</p>
      </div>
      {item.status === 'conflict' && props.onCompare ? (
        <button
          type="button"
          aria-label={`${text('issues.compare')}, ${title}`}
          onClick={() => props.onCompare?.(item.id)}
        >
          {text('issues.compare')}
        </button>
      ) : (
        url && (
          <a class="button" href={url} target="_blank" rel="noreferrer" aria-label={`${text('open')}, ${title}`}>
            {text('open')}
          </a>
        )
      )}
    </li>
  )
}

/** Explains an issue. A changed page names its field, taken from our own error message (port.ts, PageChanged). */
function reason({ item }: Issue, platform: string): string {
  if (item.status === 'conflict') {
    const type = item.conflict_type && textIfAny(`conflict.${item.conflict_type}`)
    return [type, item.external_sku].filter(Boolean).join(': ')
  }
  if (isJobFailure(item.external_listing_id)) return item.error_message ?? ''
  if (item.error_code === 'page_changed') {
    const field = /^page changed: ([\w.]+)/.exec(item.error_message ?? '')?.[1]
    return field ? text('issues.page_changed', { platform, field }) : text('issues.page_changed_plain', { platform })
  }
  return (item.error_code && textIfAny(`issues.error.${item.error_code}`)) ?? item.error_message ?? ''
}

async function readPages(job: string, pages: number): Promise<{ count: number; issues: Issue[] }> {
  const read = await Promise.all(
    Array.from({ length: pages }, (_, index) => send('popup.issues', { job, page: index + 1 })),
  )
  return { count: read[0]?.count ?? 0, issues: read.flatMap((page) => page.issues) }
}
