import { getSettings, putSettings } from '#shared/contract/catalog/inventory.ts'
import { alertKinds, type PushKind } from '#shared/contract/selling/orders.ts'
import { Checkbox } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { useAccountAction } from './use-account-action.tsx'
import { text } from './words.ts'

const money: PushKind[] = ['oversell', 'excess_quantity', 'delist_overdue', 'sold_while_withdrawn', 'sale_refunded']
const questions: PushKind[] = ['connection_lost', 'orders_unread', 'sale_unclear', 'relist_unclear']
const listings = alertKinds.filter((kind) => !money.includes(kind) && !questions.includes(kind))
const alerts = { money, questions, listings }
/** The kinds that each tick switches on and off together. The API can choose single ones. */
const groupsOf = { alert_mails: alerts, push_kinds: { sales: ['sale'] satisfies PushKind[], ...alerts } }

/** Kinds of alerts that are mailed. */
export function AlertMails() {
  return (
    <section class="part" aria-labelledby="mails">
      <h2 id="mails">{text('mails.title')}</h2>
      <p class="soft">{text('mails.text')}</p>
      <KindChoices of="alert_mails" />
    </section>
  )
}

/** The kinds that a seller is told of by mail or by notification. Each change is saved at once. */
export function KindChoices({ of }: { of: keyof typeof groupsOf }) {
  const request = useRequest('settings', () => callAccount(getSettings, {}))
  const { busy, act, notices } = useAccountAction()
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <p class="bad">{request.message}</p>
  const chosen: readonly string[] = request.value[of]
  return (
    <>
      {notices}
      {(Object.entries(groupsOf[of]) as [keyof typeof groupsOf.push_kinds, PushKind[]][]).map(([group, kinds]) => {
        const on = kinds.filter((kind) => chosen.includes(kind)).length
        const isPartly = on > 0 && on < kinds.length
        const words = text(`kinds.${group}`)
        return (
          <Checkbox
            key={group}
            label={isPartly ? text('kinds.partly', { words, n: on, total: kinds.length }) : words}
            checked={on === kinds.length}
            indeterminate={isPartly}
            disabled={busy}
            onChange={(checked) => {
              void act(async () => {
                // Read again: the other setting is saved with the same request.
                const now = await callAccount(getSettings, {})
                const others = now[of].filter((kind) => !kinds.includes(kind))
                await callAccount(putSettings, { body: { ...now, [of]: checked ? [...others, ...kinds] : others } })
                request.again()
              })
            }}
          />
        )
      })}
    </>
  )
}
