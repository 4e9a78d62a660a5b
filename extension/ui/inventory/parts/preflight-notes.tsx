import { useEffect, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import type { RequestOf } from '#extension/messaging/protocol.ts'
import { send } from '#extension/messaging/send.ts'
import { Notice } from '#extension/ui/components/notice.tsx'
import type { Finding, Preflight } from '#shared/contract/preflight.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { platformOf } from '#shared/platforms.ts'

/** Debounce before a preflight, in ms. */
const pauseMs = 400
/** Items per preflight call, and items named in the dialog. */
const mostExamined = 100
const mostNamed = 5

/** Findings that the form already shows beside its fields. */
const isShownElsewhere = ({ field, code }: Finding) =>
  code === 'choice_required' || code === 'recommended' || field === 'connection'

/**
 * Runs a preflight whenever the request changes. Null: nothing to check yet. A failed preflight returns no findings,
 * since listing reports its own errors.
 */
export function usePreflight(request: RequestOf<'preflight.ofItem'> | null): Finding[] {
  const [findings, setFindings] = useState<Finding[]>([])
  const key = request && JSON.stringify(request)
  useEffect(() => {
    if (!request) return
    let stopped = false
    setFindings([])
    const timer = setTimeout(() => {
      send('preflight.ofItem', request).then(
        (found) => stopped || setFindings(found.findings.filter((finding) => !isShownElsewhere(finding))),
        () => {},
      )
    }, pauseMs)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [key])
  return findings
}

/** Shows blocking findings first, then changes that the platform will make. */
export function PreflightNotes({ findings }: { findings: readonly Finding[] }) {
  const blocking = findings.filter((finding) => finding.blocking)
  const changing = findings.filter((finding) => !finding.blocking)
  return (
    <>
      {blocking.map(({ field, code, message }) => (
        <Notice key={`${field} ${code}`} tone="bad">
          {message}
        </Notice>
      ))}
      {changing.length > 0 && (
        <ul class="soft findings">
          {changing.map(({ field, code, message }) => (
            <li key={`${field} ${code}`}>{message}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Shows how many selected items are ready for each platform, and what the first ones lack. */
export function SelectionReadiness(props: {
  uids: readonly string[]
  platforms: readonly PlatformSlug[]
  titleOf: (uid: string) => string
}) {
  const { uids, platforms } = props
  const [results, setResults] = useState<readonly Preflight[] | null>(null)
  const [asking, setAsking] = useState(false)
  const key = JSON.stringify([uids, platforms])
  useEffect(() => {
    setResults(null)
    if (uids.length === 0 || platforms.length === 0) return
    let stopped = false
    setAsking(true)
    send('preflight.ofMany', { uids: uids.slice(0, mostExamined), platforms: [...platforms] })
      .then(
        (found) => stopped || setResults(found),
        () => {},
      )
      .finally(() => stopped || setAsking(false))
    return () => {
      stopped = true
    }
  }, [key])
  const isBlocked = ({ findings }: Preflight) => findings.some(({ blocking }) => blocking)
  const unready = (results ?? []).filter(isBlocked)
  const ready = (results ?? []).filter((one) => one.ready).length
  const unchecked = (results?.length ?? 0) - ready - unready.length
  return (
    <div role="status" class="soft">
      {asking && text('preflight.asking')}
      {results && (
        <>
          <p>{text('preflight.ready', { n: ready })}</p>
          {unchecked > 0 && <p>{text('preflight.unchecked', { n: unchecked })}</p>}
          {unready.length > 0 && <p>{text('preflight.unready', { n: unready.length })}</p>}
          <ul class="findings">
            {unready.slice(0, mostNamed).map(({ inventory_item_uid, platform, findings }) => (
              <li key={`${inventory_item_uid} ${platform}`}>
                <span class="cut block">{props.titleOf(inventory_item_uid)}</span>
                {platformOf(platform as PlatformSlug).name}: {findings.find(({ blocking }) => blocking)?.message}
              </li>
            ))}
          </ul>
          {uids.length > mostExamined && <p>{text('preflight.first', { n: mostExamined })}</p>}
        </>
      )}
    </div>
  )
}
