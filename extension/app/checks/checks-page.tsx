import type { Check, CheckKind } from '#shared/contract/catalog/checks.ts'
import { agoText } from '../common/format.ts'
import { Loading } from '../components/loading.tsx'
import { Failure, More } from '../components/pending.tsx'
import { CheckCard, isOnePress } from './check-card.tsx'
import { PriceFindings } from './price-findings.tsx'
import { useChecks } from './use-checks.ts'
import { text } from './words.ts'

/** The most urgent first. */
const kinds: readonly CheckKind[] = ['sold_live', 'sale_unconfirmed', 'listed_twice', 'shop_unread', 'price_differs']

/** Findings of the checks of the inventory, by kind, each with one press that mends it. */
export function ChecksPage(props: { onChanged: () => void }) {
  const { checks, count, counts, checked_at, problem, busy, reload, more, run, mend, free, dismiss } = useChecks(
    props.onChanged,
  )
  return (
    <main class="page item cards checks" aria-busy={busy}>
      <div class="part">
        <h1 tabIndex={-1}>{text('checks.title')}</h1>
        {checks && (
          <div class="lead-in">
            <p class="soft grow">
              {text('checks.text')} {checked_at && text('checks.checked', { when: agoText(Date.parse(checked_at)) })}
            </p>
            <button type="button" aria-disabled={busy} onClick={() => !busy && run()}>
              {text(busy ? 'checks.running' : 'checks.run')}
            </button>
          </div>
        )}
      </div>
      {problem && <Failure message={problem} onRetry={reload} />}
      {checks === null && !problem && <Loading />}
      {checks && count === 0 && (
        <div class="center" role="status">
          <h2>{text('checks.none')}</h2>
        </div>
      )}
      {kinds.map((kind) => {
        const those = checks?.filter((check) => check.kind === kind) ?? []
        const n = counts[kind] ?? 0
        const isOne = kind === 'price_differs' && n > 1
        if (n === 0 || (those.length === 0 && !isOne)) return null
        return (
          <section key={kind} class="part" aria-labelledby={`checks-${kind}`}>
            <h2 id={`checks-${kind}`}>
              {text(`checks.kind.${kind}`)}
              <span>{n}</span>
            </h2>
            {isOne ? (
              <PriceFindings onMend={mend} onDismiss={dismiss} />
            ) : (
              <AnswerAll checks={those} onMend={mend} onDismiss={dismiss} />
            )}
            <ul class="rows">
              {(isOne ? those.filter((check) => !isOnePress(check)) : those).map((check) => (
                <CheckCard key={check.uid} check={check} onMend={mend} onFree={free} onDismiss={dismiss} />
              ))}
            </ul>
          </section>
        )
      })}
      {checks && isMore(checks, count, counts.price_differs ?? 0) && <More onMore={more} />}
    </main>
  )
}

/** Whether there are findings to show besides those that the dialog of prices reads. */
function isMore(checks: readonly Check[], count: number, prices: number): boolean {
  const shown = checks.filter((check) => check.kind === 'price_differs' && isOnePress(check)).length
  const isInDialog = prices > 1 && checks.length - shown === count - prices
  return count > checks.length && !isInDialog
}

/** Answers all findings of a kind at once, where there are several. */
function AnswerAll(props: {
  checks: readonly Check[]
  onMend: (check: Check) => void
  onDismiss: (check: Check) => void
}) {
  const action = props.checks.find(isOnePress)?.action ?? 'open'
  const toMend = props.checks.filter((check) => isOnePress(check) && check.action === action)
  const toLeave = props.checks.filter(({ can_dismiss }) => can_dismiss)
  if (toMend.length < 2 && toLeave.length < 2) return null
  return (
    <p class="links">
      {action !== 'open' && toMend.length > 1 && (
        <button type="button" onClick={() => toMend.forEach(props.onMend)}>
          {text(`checks.all.${action}`, { n: toMend.length })}
        </button>
      )}
      {toLeave.length > 1 && (
        <button type="button" class="quiet" onClick={() => toLeave.forEach(props.onDismiss)}>
          {text('checks.dismiss_all', { n: toLeave.length })}
        </button>
      )}
    </p>
  )
}
