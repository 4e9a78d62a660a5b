import { useEffect, useState } from 'preact/hooks'
import type { BulkJob, BulkResult } from '#shared/contract/selling/listings.ts'
import { withLocalMoney } from '../common/format.ts'
import { offerUndo } from '../components/undo-toast.tsx'
import { call } from '../host.ts'
import { text } from './words.ts'

/** Polling interval of the job, in ms. */
const lookMs = 1_000

/** Follows a job that changes items. Offers to undo it once it is done; `done` says what it did to `n` items. */
export function JobProgress(props: { job: BulkJob; done: (n: number) => string; onClose: () => void }) {
  const { onClose } = props
  const [job, setJob] = useState(props.job)
  const [failed, setFailed] = useState<BulkResult[]>([])
  const over = job.status === 'completed' || job.status === 'cancelled'
  useEffect(() => {
    if (over) {
      if (job.succeeded > 0) offerUndo(props.done(job.succeeded), job.change_uid, job.succeeded)
      if (job.failed === 0) onClose()
      return
    }
    const timer = setTimeout(async () => {
      const answer = await call('getBulkJob', {
        params: { uid: job.uid },
        query: { status: 'failed', page_size: '100' },
      }).catch(() => null)
      if (answer) setFailed(answer.results)
      // A new object also looks again after a failed try.
      setJob(answer?.job ?? { ...job })
    }, lookMs)
    return () => clearTimeout(timer)
  }, [job])
  const reasons = [...new Set(failed.map(({ error_message }) => withLocalMoney(error_message ?? '')))]
  return (
    <>
      <p role="status">
        {[
          text('bulk.succeeded', { n: job.succeeded }),
          job.failed > 0 && text('bulk.failed', { n: job.failed }),
          job.pending > 0 && text('bulk.pending', { n: job.pending }),
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {over && reasons.length > 0 && (
        <ul class="rows failures">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {!over && <progress aria-label={text('bulk.progress')} max={job.total} value={job.total - job.pending} />}
      <div class="buttons">
        <button type="button" class="main" onClick={onClose}>
          {text(over ? 'close' : 'bulk.leave')}
        </button>
      </div>
    </>
  )
}
