import { useEffect, useState } from 'preact/hooks'
import type { OperationRequest } from '#extension/messaging/operations.ts'
import type { Finding } from '#shared/contract/selling/preflight.ts'
import { failureAction } from '../common/failure-action.ts'
import { withLocalMoney } from '../common/format.ts'
import { Notice } from '../components/notice.tsx'
import { call, useHost } from '../host.ts'

/** Debounce before a preflight, in ms. */
const pauseMs = 400
/** Findings that the form already shows beside its fields. */
const isShownElsewhere = ({ field, code }: Finding) =>
  code === 'choice_required' || code === 'recommended' || field === 'connection'

/**
 * Runs a preflight whenever the request changes. Null: nothing to check yet. A failed preflight returns no findings,
 * since listing reports its own errors.
 */
export function usePreflight(request: OperationRequest<'preflightRequest'> | null): Finding[] {
  const [found, setFound] = useState<{ of: string | null; findings: Finding[] }>({ of: null, findings: [] })
  const key = request && JSON.stringify(request)
  useEffect(() => {
    if (!request) return
    let stopped = false
    const timer = setTimeout(() => {
      call('preflightRequest', request).then(
        ({ findings }) =>
          stopped || setFound({ of: key, findings: findings.filter((finding) => !isShownElsewhere(finding)) }),
        () => {},
      )
    }, pauseMs)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [key])
  // Those of another request would refuse what the seller has changed since.
  return found.of === key ? found.findings : []
}

/** Shows blocking findings first, then changes that the platform will make. */
export function PreflightNotes({ findings }: { findings: readonly Finding[] }) {
  const { server } = useHost()
  const blocking = findings.filter((finding) => finding.blocking)
  const changing = findings.filter((finding) => !finding.blocking)
  return (
    <>
      {blocking.map(({ field, code, message }) => (
        <Notice key={`${field} ${code}`} tone="bad" link={failureAction(code, server)}>
          {withLocalMoney(message)}
        </Notice>
      ))}
      {changing.length > 0 && (
        <ul class="soft findings">
          {changing.map(({ field, code, message }) => (
            <li key={`${field} ${code}`}>{withLocalMoney(message)}</li>
          ))}
        </ul>
      )}
    </>
  )
}
